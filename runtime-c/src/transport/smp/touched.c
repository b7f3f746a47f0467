/* Maps what other threads have touched. Each process has page tables of its own: its first access to a page of another
   thread's memory is a page fault, which takes as long as a thousand accesses, also where the page has long been in
   memory. So after some barriers a process maps such pages together. It maps no page that does not exist yet: that
   would take memory which the program may never use. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport/smp/job.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* since Linux 5.14 */
#endif

/* Page tables for more take a process longer than the faults that it may never have. */
enum { MOST_BYTES = 256 << 20, MOST_RUNS = 4096, PIECE_BYTES = 256 << 10 };

/* The launcher's descriptor of the memory file. Threads open it anew, and only while they read it: a program finds no
   descriptor that it has not opened itself. */
static int launchers_file;
static char file_name[64];
static uint64_t file_stride;
static uint64_t mapped_bytes; /* of the file, when this process last mapped what it found */

void smp_touched_note(int file, uint64_t stride)
{
    snprintf(file_name, sizeof file_name, "/proc/%ld/fd/%d", (long)getpid(), file);
    launchers_file = file;
    file_stride = stride;
}

void smp_touched_start(void)
{
    close(launchers_file);
}

bool smp_populate(char *at, uint64_t bytes)
{
    return madvise(at, bytes, MADV_POPULATE_READ) == 0;
}

/* Maps the pages [from, to) of a thread's segment. False: the system cannot. */
static bool map_piece(int thread, uint64_t from, uint64_t to)
{
    if (thread != upcr_mythread && !smp_populate(smp_segment(thread) + from, to - from))
        return false;
    return smp_linear_populate(thread, from, to);
}

/* Maps a run of pages [from, to) of a thread's segment, which existed a moment ago. start: of the segment in the file.
   Another thread may free them meanwhile, and to map pages that are gone would create them again. So each piece is
   looked at once more. */
static bool map_run(int file, int thread, off_t start, uint64_t from, uint64_t to)
{
    for (uint64_t at = from; at < to; at += PIECE_BYTES) {
        off_t in_file = start + (off_t)at;
        bool exists = lseek(file, in_file, SEEK_DATA) == in_file;
        if (exists && !map_piece(thread, at, to - at < PIECE_BYTES ? to : at + PIECE_BYTES))
            return false;
    }
    return true;
}

/* Maps the pages of a thread's segment that exist. */
static bool map_thread(int file, int thread, int *runs)
{
    off_t start = (off_t)((uint64_t)thread * file_stride), end = start + (off_t)host_job->segment_bytes;
    for (off_t from = start; (from = lseek(file, from, SEEK_DATA)) >= 0 && from < end;) {
        off_t to = lseek(file, from, SEEK_HOLE);
        if (to < 0 || to > end)
            to = end;
        if (++*runs > MOST_RUNS || !map_run(file, thread, start, (uint64_t)(from - start), (uint64_t)(to - start)))
            return false;
        from = to;
    }
    return true;
}

static void map_touched(int file)
{
    struct stat status;
    int runs = 0;
    if (fstat(file, &status) != 0)
        return;
    uint64_t bytes = (uint64_t)status.st_blocks * 512;
    if (bytes > MOST_BYTES || bytes < mapped_bytes + mapped_bytes / 4 + (64 << 10))
        return;
    mapped_bytes = bytes;
    for (int t = 0; t < upcr_threads; t++)
        if (!map_thread(file, t, &runs))
            return;
}

void smp_touched_map(void)
{
    int saved = errno, file = open(file_name, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        map_touched(file);
        close(file);
    }
    errno = saved;
}
