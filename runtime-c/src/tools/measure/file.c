#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/measure/bytes.h"
#include "tools/measure/crc.h"
#include "tools/measure/file.h"

/* Out of the way of programs that count on the numbers of the files they open. */
enum { HIGH_FD = 200 };

/* Bytes of a block's header whose check sum is behind them. */
enum { CHECKED = MEASURE_BLOCK_HEADER - 4 };

static int file = -1;
static pid_t process;    /* that opened it; one that the user forked must not write */
static uint32_t written; /* blocks of this thread that are in the file */
static unsigned lost;    /* kinds of those that could not be written, as bits */
static int first_error;
static uint32_t mark; /* check sum of the first block that this thread wrote */
bool measure_file_shared;

static bool keep(int fd)
{
    if (fd < 0)
        return false;
    file = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
    if (file < 0)
        file = fd;
    else
        close(fd);
    process = getpid();
    return true;
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
    int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return keep(fd) && write(file, header, sizeof header) == sizeof header;
}

uint32_t measure_file_mark(void)
{
    return mark;
}

bool measure_file_open(const char *name, uint32_t expected)
{
    uint8_t bytes[4], found[4];
    if (!keep(open(name, O_RDWR | O_APPEND | O_CLOEXEC)))
        return false;
    measure_store32(bytes, expected);
    if (!measure_file_shared)
        return true;
    if (pread(file, found, sizeof found, MEASURE_FILE_HEADER + CHECKED) == sizeof found && memcmp(found, bytes, sizeof found) == 0)
        return true;
    measure_file_close();
    errno = ENOENT;
    return false;
}

void measure_file_close(void)
{
    if (file >= 0 && process == getpid())
        close(file);
    file = -1;
}

bool measure_file_has_room(size_t bytes, uint64_t limit)
{
    struct stat status;
    return fstat(file, &status) != 0 || (uint64_t)status.st_size + bytes <= limit;
}

/* Removes what stands at the file's end of a block that does not fit, unless another thread has written behind it: readers do not stumble over
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
    sigprocmask(SIG_BLOCK, &too_large, &before);
    bool waits = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ);
    bool good = write_all(bytes, length);
    int error = errno;
    if (!good && error == EFBIG && !waits)
        sigtimedwait(&too_large, NULL, &at_once);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return good;
}

unsigned measure_file_lost(int *error)
{
    *error = first_error;
    return lost;
}

void measure_file_hold(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, before);
}

void measure_file_release(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

/* Where several machines write, so that what one appends is behind what the others have: on NFS a lock is needed for that. A file system
   that knows no locks must do without. */
static void lock_shared(short type)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    while (measure_file_shared && fcntl(file, F_SETLKW, &whole) != 0 && errno == EINTR)
        continue;
}

bool measure_file_append(enum measure_block kind, uint8_t *block, size_t length)
{
    size_t total = MEASURE_BLOCK_HEADER + length;
    if (file < 0 || process != getpid())
        return false;
    memset(block, 0, MEASURE_BLOCK_HEADER);
    measure_store32(block, MEASURE_BLOCK_MAGIC);
    block[4] = (uint8_t)kind;
    measure_store32(block + 8, (uint32_t)upcr_mythread);
    measure_store32(block + 12, written);
    measure_store32(block + 16, (uint32_t)length);
    uint32_t crc = measure_crc(measure_crc(0, block, CHECKED), block + MEASURE_BLOCK_HEADER, length);
    measure_store32(block + CHECKED, crc);
    lock_shared(F_WRLCK);
    bool good = write_without_signal(block, total);
    int error = errno;
    lock_shared(F_UNLCK);
    if (written == 0)
        mark = crc;
    written += good;
    if (!good) {
        first_error = lost == 0 ? error : first_error;
        lost |= 1u << kind;
        errno = error;
    }
    return good;
}
