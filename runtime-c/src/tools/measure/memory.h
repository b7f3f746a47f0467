/* Memory that outlives its process: if a thread is killed, the launcher writes what it contains. */
#ifndef MEASURE_MEMORY_H
#define MEASURE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Called in the launcher before the threads are started. */
void measure_memory_prepare(void);

/* Called in a thread: reserves this number of bytes, all zero, which take memory only as they are used; NULL: out of memory. Async-signal-safe, but
   not thread-safe. */
void *measure_memory_reserve(size_t bytes);

/* Sets all of it to zero again. */
void measure_memory_clear(void *memory, size_t bytes);

/* Called in a thread: returns whether the launcher can write the contents. */
bool measure_memory_outlives(void);

/* Called in a thread: everything useful is in the file. */
void measure_memory_done(void);

/* Called in the launcher: maps the memory that this process, which has ended, reserved, at the same addresses. Returns what was reserved first; NULL:
   nothing, or nothing useful. The second function unmaps it. */
void *measure_memory_adopt(pid_t process);
void measure_memory_release(void);

/* Called in a process that the launcher has forked: the number of processes that have reserved memory, and a copy, at the same addresses, of what one of them
   has reserved. The process may run meanwhile: what it writes is in the copy, or is not. NULL: nothing. measure_memory_release unmaps it. */
unsigned measure_memory_processes(void);
void *measure_memory_copy(unsigned index);

/* Returns whether these bytes of the copy are still those of the process. */
bool measure_memory_is_current(const void *copied, size_t bytes);

#endif
