/* Programs compiled with -fsanitize=address: the report of each thread is whole and names the thread. */
#ifndef UPCR_SANITIZE_H
#define UPCR_SANITIZE_H

#include <stdbool.h>

/* Returns whether this program has AddressSanitizer. */
bool upcr_has_asan(void);

/* Called before the threads are started. */
void upcr_sanitize_start(void);

/* Called in each thread before main. */
void upcr_sanitize_thread(void);

#endif
