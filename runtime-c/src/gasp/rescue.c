/* Saves a tool's data when a signal ends a thread. */
#include "gasp/gasp_runtime.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "transport/transport.h"

/* Signals by which users end a program. */
static const int interruptions[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGXCPU};

enum { NOBODY_SAVES, IS_SAVING, HAS_SAVED };
static unsigned saving;
static UPCR_PTHREAD_LOCAL bool saves;

/* The code after this ends the process, or lets the launcher end it. A handler that runs on the saving pthread does not wait. */
static void wait_for_saver(void)
{
    enum { LONGEST_MS = 5000 };
    static const struct timespec moment = {0, 1000 * 1000};
    /* Acquires what the saver wrote from upcr_inst_save_ends. */
    for (int ms = 0; !saves && ms < LONGEST_MS && __atomic_load_n(&saving, __ATOMIC_ACQUIRE) == IS_SAVING; ms++)
        nanosleep(&moment, NULL);
}

bool upcr_inst_save_begins(void)
{
    unsigned nobody = NOBODY_SAVES;
    if (!__atomic_load_n(&upcr_inst_on, __ATOMIC_RELAXED) && __atomic_load_n(&saving, __ATOMIC_RELAXED) == NOBODY_SAVES)
        return false;
    if (!__atomic_compare_exchange_n(&saving, &nobody, IS_SAVING, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        wait_for_saver();
        return false;
    }
    saves = true;
    __atomic_store_n(&upcr_inst_on, 0, __ATOMIC_SEQ_CST);
    return true;
}

void upcr_inst_save_ends(void)
{
    /* Publishes what was saved to wait_for_saver. */
    __atomic_store_n(&saving, HAS_SAVED, __ATOMIC_RELEASE);
}

void upcr_inst_rescue(int signal)
{
    sigset_t all, before;
    if (upcr_bundled == NULL || upcr_bundled->rescue == NULL)
        return;
    /* Another signal for the same reason must not interrupt this one. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (upcr_inst_save_begins()) {
        upcr_bundled->rescue(signal);
        upcr_inst_save_ends();
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* The signal is raised again after this returns, and ends the thread. SA_RESETHAND is not used: it restores the default action before the
   handler runs, so the second of two signals, from the terminal and from the launcher, would end the thread first. */
static void on_interruption(int number)
{
    upcr_inst_rescue(number);
    signal(number, SIG_DFL);
    raise(number);
}

static void rescue_with_job(void)
{
    upcr_inst_rescue(0);
}

void upcr_inst_rescue_start(void)
{
    struct sigaction action, before;
    if (upcr_bundled == NULL || upcr_bundled->rescue == NULL)
        return;
    upcr_tp_before_end(rescue_with_job);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interruption;
    for (size_t i = 0; i < sizeof interruptions / sizeof *interruptions; i++)
        if (sigaction(interruptions[i], NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
            sigaction(interruptions[i], &action, NULL);
}
