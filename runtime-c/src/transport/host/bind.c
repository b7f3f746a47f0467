/* Processors: how many there are, which threads share one, and the binding of threads to them. */
#include "runtime.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "options.h"
#include "transport/host/bind.h"
#include "transport/host/host.h"

size_t host_mask_bytes(void)
{
    static size_t bytes;
    const size_t most = (size_t)1 << 20;
    size_t now = sizeof(cpu_set_t);
    cpu_set_t *mask = bytes == 0 ? malloc(now) : NULL;
    /* The system refuses a mask that is shorter than its own. */
    while (mask != NULL && sched_getaffinity(0, now, mask) != 0 && errno == EINVAL && now < most) {
        free(mask);
        now *= 2;
        mask = malloc(now);
    }
    if (bytes == 0)
        bytes = mask != NULL ? now : sizeof(cpu_set_t);
    free(mask);
    return bytes;
}

/* Returns an empty mask, or several. */
static cpu_set_t *new_masks(size_t count)
{
    cpu_set_t *masks = calloc(count, host_mask_bytes());
    if (masks == NULL)
        upcr_fatal("out of memory");
    return masks;
}

void host_mask(cpu_set_t *mask)
{
    size_t bytes = host_mask_bytes();
    if (sched_getaffinity(0, bytes, mask) == 0)
        return;
    CPU_ZERO_S(bytes, mask);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t cpu = 0; cpu < (size_t)(online > 0 ? online : 1); cpu++)
        CPU_SET_S(cpu, bytes, mask);
}

int host_processors(void)
{
    cpu_set_t *mask = new_masks(1);
    host_mask(mask);
    int count = CPU_COUNT_S(host_mask_bytes(), mask);
    free(mask);
    return count > 0 ? count : 1;
}

void host_print_mask(const cpu_set_t *mask, size_t bytes, char *text, size_t capacity)
{
    size_t length = 0;
    int last = -1;
    text[0] = '\0';
    for (int cpu = 0; cpu < (int)(8 * bytes) && length < capacity; cpu = last + 1) {
        last = cpu;
        if (!CPU_ISSET_S((size_t)cpu, bytes, mask))
            continue;
        while (CPU_ISSET_S((size_t)last + 1, bytes, mask))
            last++;
        length += (size_t)snprintf(text + length, capacity - length, last == cpu ? "%s%d" : "%s%d-%d", length == 0 ? "" : ",", cpu, last);
    }
}

/* ---- Shares --------------------------------------------------------------------------------------------------------- */

static int read_topology(int cpu, const char *what, int unknown)
{
    char path[96];
    int value;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, what);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return unknown;
    if (fscanf(file, "%d", &value) != 1)
        value = unknown;
    fclose(file);
    return value;
}

/* The domain is a link in the processor's folder: node3. */
static int read_domain(int cpu)
{
    char path[64];
    int domain = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d", cpu);
    DIR *folder = opendir(path);
    for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL; entry = readdir(folder))
        if (sscanf(entry->d_name, "node%d", &domain) == 1)
            break;
    if (folder != NULL)
        closedir(folder);
    return domain;
}

static int compare(const void *one, const void *other)
{
    const struct host_processor *a = one, *b = other;
    const int differences[] = {a->domain - b->domain, a->package - b->package, a->core - b->core};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i] != 0)
            return differences[i];
    return a->cpu - b->cpu;
}

static bool is_same_core(const struct host_processor *a, const struct host_processor *b)
{
    return a->domain == b->domain && a->package == b->package && a->core == b->core;
}

/* Returns the end of the core, or of the domain, that begins with the processor `first`. */
static int end_of(const struct host_processor *list, int count, int first, bool of_domain)
{
    int end = first + 1;
    while (end < count && (of_domain ? list[end].domain == list[first].domain : is_same_core(&list[end], &list[first])))
        end++;
    return end;
}

static int count_parts(const struct host_processor *list, int count, bool domains)
{
    int parts = 0;
    for (int first = 0; first < count; first = end_of(list, count, first, domains))
        parts++;
    return parts;
}

/* Divides processors that are sorted, by cores if there are enough. */
static void divide_cores(const struct host_processor *list, int count, int threads, int me, cpu_set_t *share, size_t bytes)
{
    int cores = count_parts(list, count, false);
    bool whole = threads <= cores;
    int parts = whole ? cores : count, part = 0;
    for (int first = 0, end; first < count; first = end, part++) {
        end = whole ? end_of(list, count, first, false) : first + 1;
        if (part >= me * parts / threads && part < (me + 1) * parts / threads)
            for (int i = first; i < end; i++)
                CPU_SET_S((size_t)list[i].cpu, bytes, share);
    }
}

/* Returns the first thread of a domain if threads are spread evenly over domains. */
static int first_of_domain(int domain, int domains, int threads)
{
    return (domain * threads + domains - 1) / domains;
}

/* Returns whether each domain can have as many threads as any other. */
static bool fits_domains(const struct host_processor *list, int count, int domains, int threads)
{
    int domain = 0;
    if (threads < domains)
        return false;
    for (int first = 0, end; first < count; first = end, domain++) {
        end = end_of(list, count, first, true);
        if (first_of_domain(domain + 1, domains, threads) - first_of_domain(domain, domains, threads) > end - first)
            return false;
    }
    return true;
}

void host_divide(struct host_processor *list, int count, int threads, int me, cpu_set_t *share, size_t bytes)
{
    qsort(list, (size_t)count, sizeof *list, compare);
    int domains = count_parts(list, count, true), domain = 0;
    if (!fits_domains(list, count, domains, threads)) {
        divide_cores(list, count, threads, me, share, bytes);
        return;
    }
    for (int first = 0, end; first < count; first = end, domain++) {
        int from = first_of_domain(domain, domains, threads), to = first_of_domain(domain + 1, domains, threads);
        end = end_of(list, count, first, true);
        if (me >= from && me < to)
            divide_cores(list + first, end - first, to - from, me - from, share, bytes);
    }
}

/* Gives each domain of processors that are sorted as many threads as any other, in order. False: thread `me` is among
   those that are left over, or the domains are not equal. */
static bool divide_domains(const struct host_processor *list, int count, int threads, int me, cpu_set_t *share, size_t bytes)
{
    int domains = count_parts(list, count, true), each = threads / domains, size = count / domains;
    for (int first = 0; first < count; first += size)
        if (end_of(list, count, first, true) != first + size)
            return false;
    if (domains == 1 || me >= each * domains)
        return false;
    for (int i = me / each * size; i < (me / each + 1) * size; i++)
        CPU_SET_S((size_t)list[i].cpu, bytes, share);
    return true;
}

bool host_divide_domains(struct host_processor *list, int count, int threads, int me, cpu_set_t *share, size_t bytes)
{
    qsort(list, (size_t)count, sizeof *list, compare);
    return count >= threads && divide_domains(list, count, threads, me, share, bytes);
}

/* Returns how many threads have the mask of `me`, and how many of these come before it; 0: others have some of its
   processors. */
static int count_equal(const struct host_masks *masks, int me, int *before)
{
    cpu_set_t *both = malloc(masks->bytes);
    const cpu_set_t *mine = host_mask_of(masks, me);
    int equal = 0;
    bool divided = both == NULL;
    *before = 0;
    for (int t = 0; t < masks->count && !divided; t++) {
        const cpu_set_t *its = host_mask_of(masks, t);
        bool same = CPU_EQUAL_S(masks->bytes, its, mine);
        CPU_AND_S(masks->bytes, both, its, mine);
        divided = !same && CPU_COUNT_S(masks->bytes, both) != 0;
        equal += same;
        *before += same && t < me;
    }
    free(both);
    return divided ? 0 : equal;
}

/* Returns a processor's position, which is read once. */
static struct host_processor processor(int cpu)
{
    static struct host_processor *known; /* cpu + 1 for those that have been read */
    if (known == NULL && (known = calloc(8 * host_mask_bytes(), sizeof *known)) == NULL)
        upcr_fatal("out of memory");
    if (known[cpu].cpu == 0)
        known[cpu] = (struct host_processor){read_domain(cpu), read_topology(cpu, "physical_package_id", 0), read_topology(cpu, "core_id", cpu), cpu + 1};
    struct host_processor found = known[cpu];
    found.cpu = cpu;
    return found;
}

/* Returns the processors of a mask. */
static struct host_processor *new_list(const cpu_set_t *mask, size_t bytes, int count)
{
    struct host_processor *list = calloc((size_t)count, sizeof *list);
    int at = 0;
    if (list == NULL)
        upcr_fatal("out of memory");
    for (int cpu = 0; at < count; cpu++)
        if (CPU_ISSET_S((size_t)cpu, bytes, mask))
            list[at++] = processor(cpu);
    return list;
}

bool host_share(const struct host_masks *masks, int me, bool of_domains, cpu_set_t *share)
{
    const cpu_set_t *mine = host_mask_of(masks, me);
    int before, equal = count_equal(masks, me, &before), count = CPU_COUNT_S(masks->bytes, mine);
    bool divided = true;
    if (equal <= 1 || count < equal)
        return false;
    struct host_processor *list = new_list(mine, masks->bytes, count);
    CPU_ZERO_S(masks->bytes, share);
    if (of_domains)
        divided = host_divide_domains(list, count, equal, before, share, masks->bytes);
    else
        host_divide(list, count, equal, before, share, masks->bytes);
    free(list);
    return divided;
}

/* ---- Who shares a processor ----------------------------------------------------------------------------------------- */

/* An assignment of threads to processors of their masks. */
struct assignment {
    const struct host_masks *masks;
    int most;       /* threads of one processor */
    int *of_thread; /* the processor of each thread; -1: none yet */
    int *count;     /* threads of each processor */
    bool *tried;    /* visited in this search */
};

static int processors_of(const struct host_masks *masks)
{
    return (int)(8 * masks->bytes);
}

/* Finds a processor for a thread, moving other threads where a processor is full. */
static bool place(struct assignment *all, int thread)
{
    const struct host_masks *masks = all->masks;
    for (int cpu = 0; cpu < processors_of(masks); cpu++) {
        if (!CPU_ISSET_S((size_t)cpu, masks->bytes, host_mask_of(masks, thread)) || all->tried[cpu])
            continue;
        all->tried[cpu] = true;
        bool free_place = all->count[cpu] < all->most;
        for (int t = 0; !free_place && t < masks->count; t++)
            if (all->of_thread[t] == cpu && place(all, t)) {
                all->count[cpu]--;
                free_place = true;
            }
        if (free_place) {
            all->of_thread[thread] = cpu;
            all->count[cpu]++;
            return true;
        }
    }
    return false;
}

static bool all_have_place(struct assignment *all)
{
    size_t processors = (size_t)processors_of(all->masks);
    memset(all->count, 0, processors * sizeof *all->count);
    for (int t = 0; t < all->masks->count; t++)
        all->of_thread[t] = -1;
    for (int t = 0; t < all->masks->count; t++) {
        memset(all->tried, 0, processors * sizeof *all->tried);
        if (!place(all, t))
            return false;
    }
    return true;
}

/* Returns the number of processors that any of the threads may use. */
static int count_union(const struct host_masks *masks)
{
    int count = 0;
    for (int cpu = 0; cpu < processors_of(masks); cpu++) {
        bool used = false;
        for (int t = 0; t < masks->count && !used; t++)
            used = CPU_ISSET_S((size_t)cpu, masks->bytes, host_mask_of(masks, t));
        count += used;
    }
    return count;
}

int host_sharers(const struct host_masks *masks)
{
    size_t processors = (size_t)processors_of(masks);
    struct assignment all = {.masks = masks};
    int available = count_union(masks), most = available > 0 ? (masks->count + available - 1) / available : masks->count;
    all.of_thread = calloc((size_t)masks->count, sizeof *all.of_thread);
    all.count = calloc(processors, sizeof *all.count);
    all.tried = calloc(processors, sizeof *all.tried);
    if (all.of_thread != NULL && all.count != NULL && all.tried != NULL)
        for (all.most = most; all.most < masks->count && !all_have_place(&all);)
            most = ++all.most;
    free(all.of_thread);
    free(all.count);
    free(all.tried);
    return most;
}

/* ---- Binding -------------------------------------------------------------------------------------------------------- */

/* The processors on which this process could run before it was bound. */
static cpu_set_t *allowed; /* NULL: it is not bound */

void upcr_tp_helper_begins(void)
{
    atomic_fetch_add_explicit(&host_me()->helpers, 1, memory_order_seq_cst);
    if (allowed != NULL)
        (void)sched_setaffinity(0, host_mask_bytes(), allowed);
}

bool host_bind_to(const cpu_set_t *mask)
{
    cpu_set_t *before = new_masks(1);
    host_mask(before);
    if (sched_setaffinity(0, host_mask_bytes(), mask) != 0) {
        free(before);
        return false;
    }
    free(allowed);
    allowed = before;
    return true;
}

/* Adds the processor with the thread's number among those of a mask, beginning again after the last. */
static void choose_one(const cpu_set_t *mask, size_t bytes, int thread, cpu_set_t *one)
{
    size_t cpu = 0;
    int left = thread % CPU_COUNT_S(bytes, mask);
    while (!CPU_ISSET_S(cpu, bytes, mask) || left-- > 0)
        cpu++;
    CPU_ZERO_S(bytes, one);
    CPU_SET_S(cpu, bytes, one);
}

/* Returns whether the machine has several domains with this: "has_cpu", "has_memory". */
static bool several_domains(const char *with)
{
    char path[64], list[256] = "";
    snprintf(path, sizeof path, "/sys/devices/system/node/%s", with);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool several = fgets(list, sizeof list, file) != NULL && strpbrk(list, "-,") != NULL;
    fclose(file);
    return several;
}

/* The processors of most machines are in one domain: the places of all of them need not be read to see that. */
static bool divides_by_domains(void)
{
    static int known = -1;
    if (known < 0)
        known = several_domains("has_cpu");
    return known != 0;
}

bool host_choose(enum upcr_binding how, const struct host_masks *masks, int me, cpu_set_t *chosen)
{
    switch (how) {
    case UPCR_BIND_USUAL: /* the transport has replaced it */
    case UPCR_BIND_NOT:
        return false;
    case UPCR_BIND_ONE:
        choose_one(host_mask_of(masks, me), masks->bytes, me, chosen);
        return true;
    case UPCR_BIND_SHARE:
        return host_share(masks, me, false, chosen);
    case UPCR_BIND_DOMAIN:
        return divides_by_domains() && host_share(masks, me, true, chosen);
    }
    __builtin_unreachable();
}

struct host_masks host_plan(enum upcr_binding how, int threads)
{
    size_t bytes = host_mask_bytes();
    struct host_masks masks = {new_masks((size_t)threads), bytes, threads}, placed = {new_masks((size_t)threads), bytes, threads};
    host_mask(masks.first);
    for (int t = 1; t < threads; t++)
        memcpy(host_mask_of(&masks, t), masks.first, bytes);
    for (int t = 0; t < threads; t++)
        if (!host_choose(how, &masks, t, host_mask_of(&placed, t)))
            memcpy(host_mask_of(&placed, t), masks.first, bytes);
    free(masks.first);
    return placed;
}

void host_bind(enum upcr_binding how, const cpu_set_t *chosen)
{
    size_t bytes = host_mask_bytes();
    char list[64];
    cpu_set_t *now = new_masks(1);
    host_mask(now);
    /* If the system does not allow it, a thread whose user has not asked for a processor runs unbound. */
    if (!CPU_EQUAL_S(bytes, now, chosen) && !host_bind_to(chosen) && how == UPCR_BIND_ONE) {
        host_print_mask(chosen, bytes, list, sizeof list);
        upcr_warn("cannot be bound to processor %s", list);
    }
    free(now);
}

void host_spread(int thread)
{
    size_t bytes = host_mask_bytes();
    cpu_set_t *masks = new_masks(2), *all = masks, *one = (cpu_set_t *)(void *)((char *)masks + bytes);
    host_mask(all);
    choose_one(all, bytes, thread, one);
    if (sched_setaffinity(0, bytes, one) == 0)
        (void)sched_setaffinity(0, bytes, all);
    free(masks);
}

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

/* Returns the domain that all processors of a mask belong to; -1: there are several. */
static int domain_of(const cpu_set_t *mask, size_t bytes)
{
    int domain = -1;
    for (int cpu = 0; cpu < (int)(8 * bytes); cpu++) {
        if (!CPU_ISSET_S((size_t)cpu, bytes, mask))
            continue;
        int its = processor(cpu).domain;
        if (domain != -1 && its != domain)
            return -1;
        domain = its;
    }
    return domain;
}

bool host_prefer_domain(void *at, size_t bytes, int domain)
{
    enum { PREFERRED = 1, MOST_DOMAINS = 1024 }; /* of the kernel's interface */
    unsigned long domains[MOST_DOMAINS / (8 * sizeof(unsigned long))] = {0};
    if (domain < 0 || domain >= MOST_DOMAINS - 1)
        return false;
    domains[(size_t)domain / (8 * sizeof *domains)] = 1ul << (size_t)domain % (8 * sizeof *domains);
    return syscall(SYS_mbind, at, bytes, PREFERRED, domains, (unsigned long)MOST_DOMAINS, 0u) == 0;
}

void host_place_memory(void *at, size_t bytes)
{
    if (!several_domains("has_memory"))
        return;
    cpu_set_t *mask = new_masks(1);
    host_mask(mask);
    /* Containers often forbid it. Memory then is where it is first touched. */
    (void)host_prefer_domain(at, bytes, domain_of(mask, host_mask_bytes()));
    free(mask);
}

/* ---- What users see ------------------------------------------------------------------------------------------------- */

/* Describes where a thread with this mask runs. */
static void describe_placement(const cpu_set_t *mask, int sharers, char *text, size_t capacity)
{
    char machine[HOST_MACHINE_CAPACITY] = "", list[256], shared[48] = "";
    size_t bytes = host_mask_bytes();
    gethostname(machine, sizeof machine - 1);
    host_print_mask(mask, bytes, list, sizeof list);
    if (sharers > 1)
        snprintf(shared, sizeof shared, ", %d threads for each processor", sharers);
    snprintf(text, capacity, "on %s, processor%s %s%s", machine, CPU_COUNT_S(bytes, mask) == 1 ? "" : "s", list, shared);
}

enum { PLACEMENT_CAPACITY = 512 };

void host_show_placement(int sharers)
{
    char text[PLACEMENT_CAPACITY];
    cpu_set_t *mask = new_masks(1);
    host_mask(mask);
    describe_placement(mask, sharers, text, sizeof text);
    upcr_log("%s", text);
    free(mask);
}

void host_show_plan(const struct host_masks *placed)
{
    for (int t = 0, sharers = host_sharers(placed); t < placed->count; t++) {
        char text[PLACEMENT_CAPACITY];
        describe_placement(host_mask_of(placed, t), sharers, text, sizeof text);
        upcr_log_program("thread %d of %d: %s", t, placed->count, text);
    }
    exit(0);
}

void host_bind_note(int threads)
{
    int processors = host_processors();
    if (threads > processors && !upcr_options.quiet)
        upcr_log_program("-bind-threads: %d threads on %d processor%s: some share one", threads, processors, processors == 1 ? "" : "s");
}
