#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "tools/measure/bytes.h"
#include "tools/measure/crc.h"
#include "tools/measure/file.h"
#include "tools/measure/state.h"

/* Out of the way of programs that count on the numbers of the files they open. */
enum { HIGH_FD = 200 };

/* Bytes of a block's header whose check sum is after them. */
enum { CHECKED = MEASURE_BLOCK_HEADER - 4 };

static int file = -1;
static pid_t process; /* that opened it; one that the user forked must not write */
static uint32_t mark; /* check sum of the first block that this thread wrote */

int measure_file_move(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
    if (high >= 0)
        close(fd);
    return high >= 0 ? high : fd;
}

/* Takes the file for the process, and notes which one it is. */
static void keep(int fd)
{
    struct measure_output *output = &measure_run->file;
    char link[64];
    struct stat status;
    file = measure_file_move(fd);
    process = getpid();
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, output->path, sizeof output->path - 1);
    output->path[length > 0 ? length : 0] = '\0';
    if (fstat(file, &status) == 0) {
        output->device = status.st_dev;
        output->inode = status.st_ino;
    }
}

/* What takes whole blocks and keeps them, or nothing. */
static bool is_file(const struct stat *status)
{
    return S_ISREG(status->st_mode) || (S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3));
}

enum { NO_FILE = EMEDIUMTYPE };

const char *measure_file_reason(int error)
{
    return error == NO_FILE ? "it is neither a regular file nor /dev/null" : strerror(error);
}

/* Opens it, if it is a file; nobody waits for a reader of a pipe, or for a device. */
static int open_file(const char *name, int flags)
{
    struct stat status;
    int fd = -1;
    if (stat(name, &status) == 0 && !is_file(&status))
        errno = NO_FILE;
    else
        fd = open(name, flags | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    return fd;
}

bool measure_file_create(const char *name)
{
    uint8_t header[MEASURE_FILE_HEADER] = MEASURE_SIGNATURE;
    header[8] = MEASURE_MAJOR;
    header[10] = MEASURE_MINOR;
    /* A new file: what an earlier run left may still be read, or written. */
    struct stat status;
    if (stat(name, &status) == 0 && S_ISREG(status.st_mode) && unlink(name) != 0)
        return false;
    int fd = open_file(name, O_WRONLY | O_CREAT);
    if (fd < 0)
        return false;
    keep(fd);
    return write(file, header, sizeof header) == sizeof header;
}

uint32_t measure_file_mark(void)
{
    return mark;
}

bool measure_file_open(const char *name, uint32_t expected)
{
    uint8_t bytes[4], found[4];
    int fd = open_file(name, O_RDWR);
    if (fd < 0)
        return false;
    keep(fd);
    measure_store32(bytes, expected);
    if (!measure_run->file.shared)
        return true;
    if (pread(file, found, sizeof found, MEASURE_FILE_HEADER + CHECKED) == sizeof found && memcmp(found, bytes, sizeof found) == 0)
        return true;
    measure_file_close();
    errno = ENOENT;
    return false;
}

/* What was written last of the thread that is adopted: it may have died before it could note so. */
static struct {
    off_t payload; /* 0: there is no such block */
    size_t length;
    unsigned kind;
} newest;

/* The next place from `at` on at which a block may begin; the file's end if there is none. */
static off_t find_block(off_t at, off_t size)
{
    uint8_t magic[4], bytes[512];
    measure_store32(magic, MEASURE_BLOCK_MAGIC);
    while (at + MEASURE_BLOCK_HEADER <= size) {
        ssize_t got = pread(file, bytes, sizeof bytes, at);
        if (got < (ssize_t)sizeof magic)
            break;
        const uint8_t *found = memmem(bytes, (size_t)got, magic, sizeof magic);
        if (found != NULL)
            return at + (found - bytes);
        at += got - (ssize_t)sizeof magic + 1;
    }
    return size;
}

/* Looks for it: the block with the number that comes next, or the one before. A block that was torn does not reach the next one. */
static void find_newest(off_t size)
{
    struct measure_output *output = &measure_run->file;
    const uint32_t next = output->written;
    uint8_t header[MEASURE_BLOCK_HEADER];
    newest.payload = 0;
    for (off_t at = find_block(MEASURE_FILE_HEADER, size); at < size; at = find_block(at, size)) {
        if (pread(file, header, sizeof header, at) != sizeof header)
            return;
        const uint32_t number = measure_load32(header + 12), length = measure_load32(header + 16);
        const off_t end = at + MEASURE_BLOCK_HEADER + length;
        if (end > size || find_block(end, size) != end) {
            at++;
            continue;
        }
        at = end;
        if (measure_load32(header + 8) == (uint32_t)measure_run->thread && (number == next || number + 1 == next)) {
            newest.payload = end - length;
            newest.length = length;
            newest.kind = header[4];
            output->written = number + 1;
        }
    }
}

/* Whether a block that the launcher is to write is the one that its thread has written last. */
static bool is_newest(enum measure_block kind, const uint8_t *payload, size_t length)
{
    uint8_t bytes[512];
    if (!measure_run->salvaged || newest.payload == 0 || newest.kind != (unsigned)kind || newest.length != length)
        return false;
    for (size_t at = 0; at < length;) {
        size_t part = length - at < sizeof bytes ? length - at : sizeof bytes;
        if (pread(file, bytes, part, newest.payload + (off_t)at) != (ssize_t)part || memcmp(bytes, payload + at, part) != 0)
            return false;
        at += part;
    }
    return true;
}

bool measure_file_adopt(void)
{
    const struct measure_output *output = &measure_run->file;
    struct stat status;
    int fd = open_file(output->path, O_RDWR);
    if (fd < 0)
        return false;
    file = fd;
    process = getpid();
    if (fstat(fd, &status) == 0 && status.st_dev == output->device && status.st_ino == output->inode) {
        find_newest(status.st_size);
        /* Behind its last block a thread writes nothing. */
        if (newest.payload == 0 || newest.kind != BLOCK_END)
            return true;
    }
    measure_file_close();
    return false;
}

void measure_file_use(int fd)
{
    file = fd;
    process = getpid();
    newest.payload = 0;
}

void measure_file_close(void)
{
    if (file >= 0 && process == getpid())
        close(file);
    file = -1;
}

bool measure_file_has_space(size_t bytes, uint64_t limit)
{
    struct stat status;
    return fstat(file, &status) != 0 || (uint64_t)status.st_size + bytes <= limit;
}

/* Removes what stands at the file's end of a block that does not fit, unless another thread has written after it: readers do not stumble over
   it, and a smaller block may still fit. */
static void take_back(size_t done)
{
    struct stat status;
    off_t here = lseek(file, 0, SEEK_CUR);
    if (done > 0 && here >= (off_t)done && fstat(file, &status) == 0 && status.st_size == here && ftruncate(file, here - (off_t)done) != 0)
        return; /* the torn block stays: readers pass over it */
}

/* In one piece, or in pieces when a signal came between. */
static bool write_all(const uint8_t *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        ssize_t more = write(file, bytes + done, length - done);
        if (more < 0 && errno != EINTR) {
            int error = errno;
            take_back(done);
            errno = error;
            return false;
        }
        done += more > 0 ? (size_t)more : 0;
    }
    return true;
}

/* A file larger than the user's limit is an error like a full disk: the signal that comes with it would end the program. */
static bool write_without_signal(const uint8_t *bytes, size_t length)
{
    static const struct timespec at_once;
    sigset_t too_large, before, pending;
    sigemptyset(&too_large);
    sigaddset(&too_large, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_large, &before);
    bool waits = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ);
    bool good = write_all(bytes, length);
    int error = errno;
    if (!good && error == EFBIG && !waits)
        sigtimedwait(&too_large, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return good;
}

unsigned measure_file_lost(int *error)
{
    *error = measure_run->file.error;
    return measure_run->file.lost;
}

void measure_file_hold(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

void measure_file_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Where several machines write, so that what one appends is after what the others have: on NFS a lock is needed for that. A file system
   that knows no locks must do without. */
static void lock_shared(short type)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    while (measure_run->file.shared && fcntl(file, F_SETLKW, &whole) != 0 && errno == EINTR)
        continue;
}

bool measure_file_append(enum measure_block kind, uint8_t *block, size_t length)
{
    struct measure_output *output = &measure_run->file;
    size_t total = MEASURE_BLOCK_HEADER + length;
    if (file < 0 || process != getpid())
        return false;
    if (is_newest(kind, block + MEASURE_BLOCK_HEADER, length))
        return true;
    memset(block, 0, MEASURE_BLOCK_HEADER);
    measure_store32(block, MEASURE_BLOCK_MAGIC);
    block[4] = (uint8_t)kind;
    measure_store32(block + 8, (uint32_t)measure_run->thread);
    measure_store32(block + 12, output->written);
    measure_store32(block + 16, (uint32_t)length);
    uint32_t crc = measure_crc(measure_crc(0, block, CHECKED), block + MEASURE_BLOCK_HEADER, length);
    measure_store32(block + CHECKED, crc);
    lock_shared(F_WRLCK);
    bool good = write_without_signal(block, total);
    int error = errno;
    lock_shared(F_UNLCK);
    if (output->written == 0)
        mark = crc;
    output->written += good;
    if (!good) {
        output->error = output->lost == 0 ? error : output->error;
        output->lost |= 1u << kind;
        errno = error;
    }
    return good;
}
