/* Pthreads of a UPC thread. The first one lasts as long as the process; the memory of the others is freed when they end. */
#include "gasp/gasp_runtime.h"

#include <pthread.h>

static pthread_key_t key;
static UPCR_PTHREAD_LOCAL bool is_first;

static void on_end(void *unused)
{
    (void)unused;
    upcr_inst_scopes_end();
    if (__atomic_load_n(&upcr_inst_on, __ATOMIC_RELAXED) && upcr_bundled != NULL && upcr_bundled->pthread_ends != NULL)
        upcr_bundled->pthread_ends();
}

void upcr_inst_pthreads_start(void)
{
    is_first = true;
    if (pthread_key_create(&key, on_end) != 0)
        upcr_die("no more keys for data of pthreads (pthread_key_create)");
}

void upcr_inst_pthread_note(void)
{
    static const char any;
    if (!is_first)
        pthread_setspecific(key, &any);
}
