/* ELF: sections and symbols. */
#include "runtime.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/image.h"
#include "trace/trace.h"

enum { MOST_IMAGES = 64, UNSIZED_REACH = 4096 /* largest distance of an address from a symbol without a size to which it is attributed */ };

static const char *const section_names[UPCR_SECTION_COUNT] = {
    [UPCR_SYMTAB] = ".symtab",
    [UPCR_DYNSYM] = ".dynsym",
    [UPCR_DEBUG_LINE] = ".debug_line",
    [UPCR_DEBUG_LINE_STR] = ".debug_line_str",
    [UPCR_DEBUG_STR] = ".debug_str",
    [UPCR_DEBUG_STR_OFFSETS] = ".debug_str_offsets",
    [UPCR_DEBUG_INFO] = ".debug_info",
    [UPCR_DEBUG_ABBREV] = ".debug_abbrev",
    [UPCR_DEBUG_ADDR] = ".debug_addr",
    [UPCR_DEBUG_RANGES] = ".debug_ranges",
    [UPCR_DEBUG_RNGLISTS] = ".debug_rnglists",
};

static struct upcr_image images[MOST_IMAGES];
static int image_count;

void *upcr_image_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static struct upcr_bytes map_file(const char *path)
{
    struct upcr_bytes bytes = {NULL, NULL};
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return bytes;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void *at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (at != MAP_FAILED) {
            bytes.at = at;
            bytes.end = bytes.at + status.st_size;
        }
    }
    close(file);
    return bytes;
}

static struct upcr_bytes slice(struct upcr_bytes file, uint64_t offset, uint64_t size)
{
    struct upcr_bytes rest = upcr_from(file, offset);
    return upcr_part(&rest, size);
}

/* Compressed sections and those that are not in the file count as missing. */
static struct upcr_bytes contents(struct upcr_bytes file, const ElfW(Shdr) * header)
{
    bool readable = header->sh_type != SHT_NOBITS && (header->sh_flags & SHF_COMPRESSED) == 0;
    return slice(file, header->sh_offset, readable ? header->sh_size : 0);
}

static void find_sections(struct upcr_image *image, struct upcr_bytes file)
{
    const ElfW(Ehdr) *head = (const void *)file.at;
    if (upcr_left(&file) < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shentsize != sizeof(ElfW(Shdr)))
        return;
    struct upcr_bytes table = slice(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr)));
    const ElfW(Shdr) *headers = (const void *)table.at;
    size_t count = upcr_left(&table) / sizeof *headers;
    if (head->e_shstrndx >= count)
        return;
    struct upcr_bytes names = contents(file, &headers[head->e_shstrndx]);
    for (size_t i = 0; i < count; i++) {
        struct upcr_bytes rest = upcr_from(names, headers[i].sh_name);
        const char *name = upcr_bytes_string(&rest);
        for (int s = 0; name != NULL && s < UPCR_SECTION_COUNT; s++) {
            if (strcmp(name, section_names[s]) != 0)
                continue;
            image->section[s] = contents(file, &headers[i]);
            if (s == UPCR_SYMTAB && headers[i].sh_link < count)
                image->symbol_names = contents(file, &headers[headers[i].sh_link]);
            if (s == UPCR_DYNSYM && headers[i].sh_link < count)
                image->dynamic_names = contents(file, &headers[headers[i].sh_link]);
        }
    }
}

struct search {
    uintptr_t pc;
    uintptr_t bias;
    const char *path;
    bool found, main;
    bool first;
};

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    (void)size;
    search->main = search->first;
    search->first = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || search->pc - (info->dlpi_addr + segment->p_vaddr) >= segment->p_memsz)
            continue;
        search->bias = info->dlpi_addr;
        search->path = info->dlpi_name;
        search->found = true;
        return 1;
    }
    return 0;
}

static bool is_system_path(const char *path)
{
    static const char *const folders[] = {"/lib", "/usr/lib", "linux-vdso"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

struct upcr_image *upcr_image_at(uintptr_t pc)
{
    struct search search = {.pc = pc, .first = true};
    dl_iterate_phdr(look, &search);
    if (!search.found)
        return NULL;
    for (int i = 0; i < image_count; i++)
        if (images[i].bias == search.bias)
            return &images[i];
    if (image_count == MOST_IMAGES)
        return NULL;
    struct upcr_image *image = &images[image_count++];
    image->bias = search.bias;
    image->system = !search.main && is_system_path(search.path);
    find_sections(image, map_file(search.main ? "/proc/self/exe" : search.path));
    return image;
}

/* Finds the best symbol of one table: a function that contains the address, else the last one without a size before it. */
static const char *find_symbol(struct upcr_bytes table, struct upcr_bytes names, uintptr_t address)
{
    const ElfW(Sym) *symbols = (const void *)table.at, *best = NULL;
    for (size_t i = 0; i < upcr_left(&table) / sizeof *symbols; i++) {
        const ElfW(Sym) *symbol = &symbols[i];
        /* The type has the same bits in both classes of ELF. */
        if ((symbol->st_info & 0xf) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_value > address)
            continue;
        if (address - symbol->st_value < symbol->st_size) {
            best = symbol;
            break;
        }
        if (symbol->st_size == 0 && address - symbol->st_value < UNSIZED_REACH && (best == NULL || symbol->st_value > best->st_value))
            best = symbol;
    }
    if (best == NULL)
        return NULL;
    struct upcr_bytes rest = upcr_from(names, best->st_name);
    return upcr_bytes_string(&rest);
}

const char *upcr_image_function(const struct upcr_image *image, uintptr_t address)
{
    const char *name = find_symbol(image->section[UPCR_SYMTAB], image->symbol_names, address);
    return name != NULL ? name : find_symbol(image->section[UPCR_DYNSYM], image->dynamic_names, address);
}

const char *upcr_trace_function(uintptr_t pc)
{
    struct upcr_image *image = upcr_image_at(pc);
    return image == NULL ? NULL : upcr_image_function(image, pc - image->bias);
}
