/* Opening, closing and describing files (library section, "UPC File Operations"). */
#include "io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport/transport.h"

static const uint32_t file_mark = 0xf11e0c3d;

enum { READ_WRITE_ALL = 0666 };

upcr_pts_t upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_all_free(upcr_pts_t ptr);
upcr_pts_t upc_all_lock_alloc(void);
void upc_all_lock_free(upcr_pts_t ptr);
void upcr_value_reduce(void *value, int type, int root, upc_op_t op);

#pragma GCC visibility push(default)
upcr_pts_t upc_all_fopen(const char *name, int flags, size_t hint_count, const struct upcr_hint *hints);
int upc_all_fclose(upcr_pts_t handle);
int upc_all_fsync(upcr_pts_t handle);
int64_t upc_all_fseek(upcr_pts_t handle, int64_t offset, int origin);
int upc_all_fset_size(upcr_pts_t handle, int64_t size);
int64_t upc_all_fget_size(upcr_pts_t handle);
int upc_all_fpreallocate(upcr_pts_t handle, int64_t size);
int upc_all_fcntl(upcr_pts_t handle, int command, void *argument);
#pragma GCC visibility pop

/* Indices into upcr_element_types. */
enum { TYPE_INT = 4, TYPE_LONG = 6 };

int upcr_io_largest(int number)
{
    upcr_value_reduce(&number, TYPE_INT, -1, UPC_MAX);
    return number;
}

int upcr_io_smallest(int number)
{
    upcr_value_reduce(&number, TYPE_INT, -1, UPC_MIN);
    return number;
}

int64_t upcr_io_sum(int64_t number)
{
    long sum = (long)number;
    upcr_value_reduce(&sum, TYPE_LONG, -1, UPC_ADD);
    return sum;
}

static struct upcr_file *mine(upcr_pts_t handle)
{
    return upcr_addr(upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(handle)));
}

struct upcr_file *upcr_file_at(upcr_pts_t handle, bool also_busy, const char *function)
{
    upcr_collective_enter(function);
    struct upcr_file *file = upcr_is_null(handle) ? NULL : mine(handle);
    if (file == NULL || file->mark != file_mark) {
        errno = EBADF;
        return NULL;
    }
    if (file->pending != NULL && !also_busy) {
        errno = EBUSY;
        return NULL;
    }
    return file;
}

int upcr_file_flags(upcr_pts_t handle)
{
    const struct upcr_file *file = upcr_is_null(handle) ? NULL : mine(handle);
    return file != NULL && file->mark == file_mark ? file->flags : 0;
}

int upcr_file_sync_flags(upcr_pts_t handle, int flags)
{
    return (int)upcr_io_sync_flags(upcr_file_flags(handle), flags);
}

upcr_size upcr_file_part(upcr_pts_t handle, upcr_size n)
{
    const size_t me = (size_t)upcr_mythread, all = (size_t)upcr_threads;
    if ((upcr_file_flags(handle) & UPC_COMMON_FP) == 0)
        return n;
    return upcr_part_begin(n, me + 1, all) - upcr_part_begin(n, me, all);
}

/* Returns -1 with errno set on all threads if any of them has an error; otherwise 0. */
static int agree(int error)
{
    error = upcr_io_largest(error);
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

/* ---- Hints ---------------------------------------------------------------------------------------------------------- */

/* Hints that have a meaning for this implementation or for a user who queries them. Others are dropped, as the
   specification requires. */
static const char *const known_hints[] = {"access_style", "collective_buffering", "cb_buffer_size",  "cb_nodes",     "file_perm", "io_node_list",
                                          "nb_proc",      "striping_factor",      "start_io_device", "striping_unit"};

static bool is_known(const char *key)
{
    for (size_t i = 0; i < sizeof known_hints / sizeof *known_hints; i++)
        if (strcmp(known_hints[i], key) == 0)
            return true;
    return false;
}

static void advise(int descriptor, const char *style)
{
    if (strstr(style, "random") != NULL)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM);
    else if (strstr(style, "sequential") != NULL)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
}

/* Returns 0 or an error. */
static int set_hint(struct upcr_file *file, const struct upcr_hint *hint)
{
    size_t place = 0;
    if (hint->key == NULL || hint->value == NULL)
        return EINVAL;
    if (!is_known(hint->key))
        return 0;
    while (place < file->hint_count && strcmp(file->hints[place].key, hint->key) != 0)
        place++;
    char *value = strdup(hint->value);
    if (place == file->hint_count) {
        struct upcr_hint *longer = realloc(file->hints, (place + 1) * sizeof *longer);
        char *key = strdup(hint->key);
        if (longer != NULL)
            file->hints = longer;
        if (longer == NULL || key == NULL || value == NULL) {
            free(key);
            free(value);
            return ENOMEM;
        }
        file->hints[file->hint_count++] = (struct upcr_hint){key, value};
    } else if (value == NULL) {
        return ENOMEM;
    } else {
        free((char *)(uintptr_t)file->hints[place].value);
        file->hints[place].value = value;
    }
    if (strcmp(hint->key, "access_style") == 0)
        advise(file->descriptor, value);
    return 0;
}

/* Returns the permissions for a new file: "file_perm" in octal. */
static mode_t permissions(size_t hint_count, const struct upcr_hint *hints)
{
    for (size_t i = 0; i < hint_count; i++)
        if (strcmp(hints[i].key, "file_perm") == 0)
            return (mode_t)strtoul(hints[i].value, NULL, 8);
    return READ_WRITE_ALL;
}

/* ---- Opening and closing -------------------------------------------------------------------------------------------- */

static bool exactly_one(int flags, int choices)
{
    int chosen = flags & choices;
    return chosen != 0 && (chosen & (chosen - 1)) == 0;
}

static bool flags_are_valid(int flags)
{
    bool exclusive = (flags & UPC_EXCL) == 0 || (flags & UPC_CREATE) != 0;
    return exactly_one(flags, UPC_RDONLY | UPC_WRONLY | UPC_RDWR) && exactly_one(flags, UPC_COMMON_FP | UPC_INDIVIDUAL_FP) && exclusive;
}

/* Opens the file. One thread creates or truncates it; the others open it afterwards. */
static int open_file(const char *name, int flags, mode_t mode, int *descriptor)
{
    int access = flags & UPC_RDONLY ? O_RDONLY : flags & UPC_WRONLY ? O_WRONLY : O_RDWR;
    int first = (flags & UPC_CREATE ? O_CREAT : 0) | (flags & UPC_EXCL ? O_EXCL : 0) | (flags & UPC_TRUNC ? O_TRUNC : 0);
    int error = 0;
    *descriptor = -1;
    if (upcr_mythread == 0) {
        *descriptor = open(name, access | first | O_CLOEXEC, mode);
        error = *descriptor < 0 ? errno : 0;
    }
    error = upcr_io_largest(error);
    if (error != 0)
        return error;
    if (upcr_mythread != 0) {
        *descriptor = open(name, access | O_CLOEXEC);
        error = *descriptor < 0 ? errno : 0;
    }
    return upcr_io_largest(error);
}

/* Fills in this thread's part. Returns 0 or an error. */
static int describe(struct upcr_file *file, const char *name, size_t hint_count, const struct upcr_hint *hints)
{
    struct stat status;
    file->name = strdup(name);
    if (file->name == NULL)
        return ENOMEM;
    if (file->flags & UPC_APPEND) {
        if (fstat(file->descriptor, &status) != 0)
            return errno;
        file->position = status.st_size;
    }
    for (size_t i = 0; i < hint_count; i++) {
        int error = set_hint(file, &hints[i]);
        if (error != 0)
            return error;
    }
    return 0;
}

static void discard_file(struct upcr_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    for (size_t i = 0; i < file->hint_count; i++) {
        free((char *)(uintptr_t)file->hints[i].key);
        free((char *)(uintptr_t)file->hints[i].value);
    }
    free(file->hints);
    free(file->name);
    file->mark = 0;
}

upcr_pts_t upc_all_fopen(const char *name, int flags, size_t hint_count, const struct upcr_hint *hints)
{
    int descriptor;
    upcr_collective_enter("upc_all_fopen");
    if (agree(flags_are_valid(flags) && name != NULL ? 0 : EINVAL) != 0)
        return UPCR_NULL;
    if (agree(open_file(name, flags, permissions(hint_count, hints), &descriptor)) != 0) {
        int error = errno;
        if (descriptor >= 0)
            close(descriptor);
        errno = error;
        return UPCR_NULL;
    }
    upcr_pts_t handle = upc_all_alloc((size_t)upcr_threads, sizeof(struct upcr_file)), lock = upc_all_lock_alloc();
    if (upcr_is_null(handle) || upcr_is_null(lock)) {
        close(descriptor);
        errno = ENOMEM;
        return UPCR_NULL;
    }
    struct upcr_file *file = mine(handle);
    *file = (struct upcr_file){.mark = file_mark, .descriptor = descriptor, .flags = flags, .lock = lock};
    if (agree(describe(file, name, hint_count, hints)) != 0) {
        int error = errno;
        discard_file(file);
        upc_all_lock_free(lock);
        upc_all_free(handle);
        errno = error;
        return UPCR_NULL;
    }
    /* All threads have it open: its name can be removed at once, so that the file disappears with the job however
       the job ends. */
    if ((flags & UPC_DELETE_ON_CLOSE) != 0 && upcr_mythread == 0)
        unlink(name);
    return handle;
}

/* Writes everything to the storage, on all threads. */
static int synchronize(const struct upcr_file *file)
{
    bool written = (file->flags & (UPC_WRONLY | UPC_RDWR)) != 0;
    /* A file that is not on storage (a pipe, a terminal) needs no synchronization. */
    int error = written && fsync(file->descriptor) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
    return agree(error);
}

int upc_all_fclose(upcr_pts_t handle)
{
    struct upcr_file *file = upcr_file_at(handle, false, "upc_all_fclose");
    if (agree(file == NULL ? errno : 0) != 0 || synchronize(file) != 0)
        return -1;
    upcr_pts_t lock = file->lock;
    discard_file(file);
    upc_all_lock_free(lock);
    upc_all_free(handle);
    return 0;
}

int upc_all_fsync(upcr_pts_t handle)
{
    struct upcr_file *file = upcr_file_at(handle, false, "upc_all_fsync");
    return agree(file == NULL ? errno : 0) != 0 ? -1 : synchronize(file);
}

/* ---- Position and size ---------------------------------------------------------------------------------------------- */

int64_t upc_all_fget_size(upcr_pts_t handle)
{
    struct upcr_file *file = upcr_file_at(handle, false, "upc_all_fget_size");
    struct stat status;
    return file == NULL || fstat(file->descriptor, &status) != 0 ? -1 : status.st_size;
}

int64_t upc_all_fseek(upcr_pts_t handle, int64_t offset, int origin)
{
    struct upcr_file *file = upcr_file_at(handle, false, "upc_all_fseek");
    struct stat status;
    int64_t from = 0, to;
    if (file == NULL)
        return -1;
    if (origin == UPC_SEEK_CUR) {
        from = file->position;
    } else if (origin == UPC_SEEK_END) {
        if (fstat(file->descriptor, &status) != 0)
            return -1;
        from = status.st_size;
    }
    if (origin < UPC_SEEK_SET || origin > UPC_SEEK_END || __builtin_add_overflow(from, offset, &to) || to < 0) {
        errno = EINVAL;
        return -1;
    }
    return file->position = to;
}

/* Performs a change on a file that is open for writing; one thread does it for all. */
static int change_size(upcr_pts_t handle, int64_t size, int (*change)(int descriptor, int64_t size), const char *function)
{
    struct upcr_file *file = upcr_file_at(handle, false, function);
    int error = file == NULL ? errno : (file->flags & UPC_RDONLY) != 0 ? EBADF : size < 0 ? EINVAL : 0;
    if (agree(error) != 0 || synchronize(file) != 0)
        return -1;
    return agree(upcr_mythread == 0 ? change(file->descriptor, size) : 0);
}

static int truncate_file(int descriptor, int64_t size)
{
    return ftruncate(descriptor, size) == 0 ? 0 : errno;
}

static int allocate_file(int descriptor, int64_t size)
{
    return size == 0 ? 0 : posix_fallocate(descriptor, 0, size);
}

int upc_all_fset_size(upcr_pts_t handle, int64_t size)
{
    return change_size(handle, size, truncate_file, "upc_all_fset_size");
}

int upc_all_fpreallocate(upcr_pts_t handle, int64_t size)
{
    return change_size(handle, size, allocate_file, "upc_all_fpreallocate");
}

/* ---- upc_all_fcntl -------------------------------------------------------------------------------------------------- */

/* Replaces some of the flags after everything has been written. */
static int set_flags(struct upcr_file *file, int which, int value)
{
    if (synchronize(file) != 0)
        return -1;
    file->flags = (file->flags & ~which) | value;
    if (which & UPC_COMMON_FP)
        file->position = 0;
    return 0;
}

static int set_pointer(struct upcr_file *file, int kind)
{
    /* "leaves it unchanged if that mode is already selected, and seeks to the beginning": it seeks in both cases. */
    return set_flags(file, UPC_COMMON_FP | UPC_INDIVIDUAL_FP, kind);
}

int upc_all_fcntl(upcr_pts_t handle, int command, void *argument)
{
    struct upcr_file *file = upcr_file_at(handle, command == UPC_ASYNC_OUTSTANDING, "upc_all_fcntl");
    if (file == NULL)
        return -1;
    switch (command) {
    case UPC_GET_CA_SEMANTICS:
        return file->flags & UPC_STRONG_CA;
    case UPC_SET_WEAK_CA_SEMANTICS:
        return set_flags(file, UPC_STRONG_CA, 0);
    case UPC_SET_STRONG_CA_SEMANTICS:
        return set_flags(file, UPC_STRONG_CA, UPC_STRONG_CA);
    case UPC_GET_FP:
        return file->flags & (UPC_COMMON_FP | UPC_INDIVIDUAL_FP);
    case UPC_SET_COMMON_FP:
        return set_pointer(file, UPC_COMMON_FP);
    case UPC_SET_INDIVIDUAL_FP:
        return set_pointer(file, UPC_INDIVIDUAL_FP);
    case UPC_GET_FL:
        return file->flags;
    case UPC_GET_FN:
        *(const char **)argument = file->name;
        return 0;
    case UPC_GET_HINTS:
        *(const struct upcr_hint **)argument = file->hints;
        return (int)file->hint_count;
    case UPC_SET_HINT:
        return synchronize(file) != 0 ? -1 : agree(set_hint(file, argument));
    case UPC_ASYNC_OUTSTANDING:
        return file->pending != NULL;
    default:
        errno = EINVAL;
        return -1;
    }
}
