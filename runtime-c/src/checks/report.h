/* How the checks end the job, and the interface between the files of this folder. */
#ifndef UPCR_CHECKS_REPORT_H
#define UPCR_CHECKS_REPORT_H

#include "upcr/checks.h"

#include "checks/checks.h"

/* Calls upcr_die for a place in the source, or, if here is NULL, for the user's place that called the runtime. */
void upcr_check_die(const upcr_place *here, const char *format, ...) __attribute__((__format__(__printf__, 2, 3), __noreturn__, __cold__));

void upcr_check_accesses_start(void);
void upcr_check_transfer(upcr_pts_t p, size_t bytes, const char *verb);
void upcr_check_copy(upcr_pts_t dst, upcr_pts_t src, size_t bytes);
void upcr_check_born(upcr_pts_t place, size_t nblocks, size_t nbytes, enum upcr_block_kind kind);
void upcr_check_freed(upcr_pts_t place, const char *function, bool lock);
void upcr_check_lock(upcr_pts_t place, const char *function);

/* collective.c */
size_t upcr_check_collective_bytes(void);
void upcr_check_enter(const char *function);
void upcr_check_arguments(const struct upcr_argument *arguments, int count);
void upcr_check_value(int value);
void upcr_check_agree(void);

#endif
