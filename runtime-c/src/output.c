/* All threads write to one open file, the launcher's. The kernel performs one write to a regular file or terminal as a whole, so there it
   is enough that the C library writes lines whole. A write to a pipe or socket may stop half-way when nobody reads, and then another
   thread's may come between: there, threads take turns. Their streams are replaced, as that cannot be had inside the C library's own. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "output.h"

enum { LONGEST_LINE = 1 << 20, MESSAGE_CAPACITY = 4096, HIGH_FD = 200, URGENT_TRIES = 100 };

/* A file on which the thread whose turn it is holds a record lock: the kernel takes that back when a process dies. -1: not needed. */
static int turns = -1;

static bool is_stream(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

void upcr_output_start(void)
{
    if (upcr_options.plain_output || (!is_stream(STDOUT_FILENO) && !is_stream(STDERR_FILENO)))
        return;
    int file = memfd_create("upc output", MFD_CLOEXEC);
    /* Out of the way of programs that count on the numbers of the files they open. */
    turns = fcntl(file, F_DUPFD_CLOEXEC, HIGH_FD);
    if (turns < 0)
        turns = file;
    else
        close(file);
}

static int set_turn(int command, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};
    return fcntl(turns, command, &lock);
}

/* The number of bytes written, less than `length` after an error. */
static size_t write_all(int fd, const char *text, size_t length)
{
    size_t done = 0;
    while (done < length) {
        ssize_t n = write(fd, text + done, length - done);
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        if (n >= 0)
            done += (size_t)n;
        else if (errno == EAGAIN)
            poll(&ready, 1, -1);
        else if (errno != EINTR)
            break;
    }
    return done;
}

static size_t write_in_turn(int fd, const char *text, size_t length)
{
    if (turns >= 0)
        while (set_turn(F_SETLKW, F_WRLCK) < 0 && errno == EINTR)
            continue;
    size_t done = write_all(fd, text, length);
    int error = errno;
    if (turns >= 0)
        set_turn(F_SETLK, F_UNLCK);
    errno = error;
    return done;
}

void upcr_output_write(int fd, const char *text, size_t length)
{
    write_in_turn(fd, text, length);
}

void upcr_output_urgent(int fd, const char *text, size_t length)
{
    const struct timespec moment = {0, 1000 * 1000};
    for (int i = 0; turns >= 0 && i < URGENT_TRIES && set_turn(F_SETLK, F_WRLCK) < 0; i++)
        nanosleep(&moment, NULL);
    write_all(fd, text, length);
    if (turns >= 0)
        set_turn(F_SETLK, F_UNLCK);
}

/* Bytes of the control character that a text begins with; 0: none, or one that messages are made of. Those above 127 are two bytes in UTF-8. */
static size_t control_length(const unsigned char *text, size_t left)
{
    if (text[0] == 0xc2 && left > 1 && text[1] >= 0x80 && text[1] < 0xa0)
        return 2;
    return (text[0] < ' ' && text[0] != '\n' && text[0] != '\t') || text[0] == 0x7f;
}

void upcr_output_message(int fd, const char *text, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    char visible[MESSAGE_CAPACITY];
    size_t used = 0;
    for (size_t i = 0; i < length && used + 5 < sizeof visible;) {
        size_t control = control_length((const unsigned char *)text + i, length - i);
        if (control > 0) {
            unsigned char code = (unsigned char)text[i + control - 1];
            char shown[4] = {'\\', 'x', digits[code >> 4], digits[code & 15]};
            memcpy(visible + used, shown, sizeof shown);
            used += sizeof shown;
            i += control;
        } else {
            visible[used++] = text[i++];
        }
    }
    if (used > 0 && length > 0 && text[length - 1] == '\n' && visible[used - 1] != '\n')
        visible[used++] = '\n';
    upcr_output_urgent(fd, visible, used);
}

#ifdef __GLIBC__

/* std::cout writes to the stream that it found when it was made; a second one would change the order of its output and printf's. */
extern char cxx_cout[] __asm__("_ZSt4cout") __attribute__((__weak__));

static ssize_t cookie_write(void *cookie, const char *text, size_t length)
{
    /* 0 is how a cookie stream says that there was an error. */
    return (ssize_t)write_in_turn((int)(intptr_t)cookie, text, length);
}

static int cookie_close(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

/* A stream like `old` that writes in turn. */
static FILE *stream_in_turn(FILE *old, int fd)
{
    cookie_io_functions_t functions = {.write = cookie_write, .close = cookie_close};
    if (turns < 0 || !is_stream(fd) || cxx_cout != NULL)
        return old;
    FILE *stream = fopencookie((void *)(intptr_t)fd, "w", functions);
    if (stream == NULL)
        return old;
    /* For fileno and freopen; and a stream of this kind has no wide characters of its own. */
    stream->_fileno = fd;
    stream->_wide_data = old->_wide_data;
    stream->_mode = old->_mode;
    return stream;
}

static void replace_streams(void)
{
    stdout = stream_in_turn(stdout, STDOUT_FILENO);
    stderr = stream_in_turn(stderr, STDERR_FILENO);
}

static void rescue(FILE *stream)
{
    if (stream->_IO_write_ptr > stream->_IO_write_base && stream->_fileno >= 0)
        upcr_output_urgent(stream->_fileno, stream->_IO_write_base, (size_t)(stream->_IO_write_ptr - stream->_IO_write_base));
    stream->_IO_write_ptr = stream->_IO_write_base;
}

void upcr_output_rescue(void)
{
    rescue(stdout);
    rescue(stderr);
}

#else /* lines longer than a pipe's atomic write may mix, and a crash loses unfinished ones */

static void replace_streams(void)
{
}

void upcr_output_rescue(void)
{
}

#endif

void upcr_output_thread(void)
{
    /* Touched only as far as lines are long. */
    static char out[LONGEST_LINE], err[LONGEST_LINE];
    if (upcr_options.plain_output)
        return;
    replace_streams();
    setvbuf(stdout, out, _IOLBF, sizeof out);
    /* Who talks with a user at a terminal prompts without ending the line. */
    bool talks = upcr_mythread == 0 && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    if (upcr_threads > 1 && !talks)
        setvbuf(stderr, err, _IOLBF, sizeof err);
    else
        setvbuf(stderr, NULL, _IONBF, 0); /* as the C library's; a stream that has replaced it would be buffered */
}
