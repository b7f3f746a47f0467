#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/measure/bytes.h"
#include "tools/measure/crc.h"
#include "tools/measure/file.h"

/* Out of the way of programs that count on the numbers of the files they open. */
enum { HIGH_FD = 200 };

static int file = -1;
static pid_t process;    /* that opened it; one that the user forked must not write */
static uint32_t written; /* blocks of this thread */

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

bool measure_file_open(const char *name)
{
    return keep(open(name, O_WRONLY | O_APPEND | O_CLOEXEC));
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

/* In one piece, or in pieces when a signal or a full disk came between: then the block is damaged for readers. */
static bool write_all(const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(file, bytes, length);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            length -= (size_t)done;
        }
    }
    return true;
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
    enum { CHECKED = MEASURE_BLOCK_HEADER - 4 };
    uint32_t crc = measure_crc(measure_crc(0, block, CHECKED), block + MEASURE_BLOCK_HEADER, length);
    measure_store32(block + CHECKED, crc);
    bool good = write_all(block, total);
    written++;
    return good;
}
