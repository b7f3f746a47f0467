/* From the C side of the tool to its UPC side. */
#ifndef UPCALLS_H
#define UPCALLS_H

typedef unsigned long long tool_ticks;

void gaspu_init(int *mythread, int *threads);
void gaspu_barrier(void);
void gaspu_ticks_now(tool_ticks *now);
void gaspu_ticks_to_sec(tool_ticks ticks, double *seconds);
void gaspu_getenv(const char *name, const char **value);
void gaspu_dump_shared(void *pts, char *text, int room);
void gaspu_flags_to_string(int flags, char *text, int room);
void gaspu_op_to_string(int op, char *text, int room);
int gaspu_upcall_threadof(void *pts);

#endif
