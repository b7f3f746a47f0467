/* Memory that outlives its process: the launcher of a thread that died without a word writes what is there. */
#ifndef MEASURE_MEMORY_H
#define MEASURE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* In the launcher, before there are threads. */
void measure_memory_prepare(void);

/* In a thread: room for so many bytes, all zero, which take memory as they are used; NULL: there is none. Async-signal-safe, not thread-safe. */
void *measure_memory_reserve(size_t bytes);

/* Makes it all zero again. */
void measure_memory_clear(void *memory, size_t bytes);

/* In a thread: whether the launcher can write what is there. */
bool measure_memory_outlives(void);

/* In a thread: all that is of use is in the file. */
void measure_memory_done(void);

/* In the launcher: maps what this process, which has ended, has reserved, at the same addresses. Returns what it reserved first; NULL: nothing, or nothing
   of use. Then: gives it back. */
void *measure_memory_adopt(pid_t process);
void measure_memory_release(void);

#endif
