/* The memory that this process and the others of its job on this machine may use. */
#ifndef UPCR_CGROUP_H
#define UPCR_CGROUP_H

#include <stdint.h>

/* Returns the bytes of the machine's memory, or what the control groups of this process allow, if that is less. */
uint64_t upcr_usable_memory(void);

/* Returns the least limit of memory, in bytes, of the control groups that `list` names, a text like /proc/self/cgroup, and of
   those around them; UINT64_MAX: there is none. root: the folder with the control groups. */
uint64_t upcr_cgroup_limit(const char *list, const char *root);

#endif
