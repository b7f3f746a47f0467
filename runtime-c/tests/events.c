/* An instrumented program as the translator writes it: every operation of upcr/inst.h. argv[1] says how it ends. */
#define UPCR_INST
#include "test.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>

#include "pupc.h"

#ifdef NO_EXITS
UPCR_INST_UNIT(~0ull & ~(1ull << UPCR_EVENT_UPC_COLLECTIVE_EXIT), 0);
#else
UPCR_INST_UNIT(~0ull, ~0ull);
#endif

static upcr_site sites[] = {
    {"events.upc", 1, 2, 0, "int main(int argc, char **argv)", 0, 0, 0},
    {"events.upc", 3, 4, 0, "shared int", "numbers[1]", 0, 0},
    {"events.upc", 5, 6, 0, 0, 0, 0, 0},
    {"events.upc", 7, 8, 0, "int deeper(int n)", 0, 0, 0},
};
enum { MAIN, ACCESS, PLAIN, DEEPER };

/* What a program cannot name two times; the first, incomplete, is a tentative definition. */
UPCR_SHARED_DEFINE(numbers, 8, 4);
UPCR_SHARED_EXTERN(numbers);
UPCR_SHARED_DESCRIBE(numbers, "numbers", "shared int[2*THREADS]", 4, 2, 1, 1);
struct mixed {
    int x;
    unsigned b : 3;
    _Bool t : 1;
    const char c;
};
UPCR_SHARED_DEFINE(record, 16, 4);
UPCR_SHARED_EXTERN(record);
UPCR_SHARED_DESCRIBE(record, "record", "shared struct mixed", 12, 1, 0, 0);

static jmp_buf back;

static int deeper(int n)
{
    UPCR_INST_FUNCTION(&sites[DEEPER]);
    if (n == 0)
        longjmp(back, 1);
    return n > 0 ? deeper(n - 1) + 1 : 0;
}

static int evaluations;

static upcr_pts_t once(upcr_pts_t p)
{
    evaluations++;
    return p;
}

static void accesses(void)
{
    upcr_pts_t mine = UPCR_STATIC(record), other = upcr_add1(UPCR_STATIC(numbers), 1, 4);
    if (UPCR_MYTHREAD != 0)
        return;
    CHECK(UPCR_INST_PUT(&sites[ACCESS], 0, int, once(other), evaluations + 6.5) == 7 || evaluations == 1);
    CHECK(evaluations == 1);
    UPCR_INST_PUT0(&sites[ACCESS], 0, int, other, 7);
    CHECK(UPCR_INST_GET(&sites[ACCESS], 0, int, other) == 7 && UPCR_INST_GET0(&sites[ACCESS], 0, volatile int, other) == 7);
    CHECK(UPCR_INST_PUT_STRICT(&sites[ACCESS], 0, int, other, 8) == 8);
    CHECK(UPCR_INST_GET_STRICT(&sites[ACCESS], 0, int, other) == 8);
    /* Its own: no event of the first is reported. */
    UPCR_INST_PUT(&sites[ACCESS], 0, int, mine, 1);
    CHECK(UPCR_INST_GET(&sites[ACCESS], 0, struct mixed, mine).x == 1);
    CHECK(UPCR_INST_GET(&sites[ACCESS], 1, struct mixed, mine).x == 1);
    CHECK(UPCR_INST_PUT_BITS(&sites[ACCESS], 1, struct mixed, b, mine, 9) == 1);
    CHECK(UPCR_INST_GET_BITS(&sites[ACCESS], 1, struct mixed, b, mine) == 1);
    CHECK(UPCR_INST_PUT_BITS_STRICT(&sites[ACCESS], 1, struct mixed, t, mine, 0.5) == 1);
    CHECK(UPCR_INST_GET_BITS_STRICT(&sites[ACCESS], 1, struct mixed, t, mine) == 1);
}

static void synchronization(void)
{
    upcr_site *here = &sites[PLAIN];
    upcr_inst_notify(here, 1, 5);
    upcr_inst_wait(here, 1, 5);
    upcr_inst_barrier(here, 0, 0);
    for (int i = 0; i < 2; i++) {
        UPCR_INST_FORALL(here);
        if (i == 0)
            continue;
        upcr_inst_fence(here);
        break;
    }
}

static void scopes(void)
{
    UPCR_INST_FUNCTION(&sites[MAIN]);
    if (setjmp(back) == 0)
        deeper(2);
}

static void heap_and_locks(void)
{
    upcr_site *here = &sites[PLAIN];
    void *p = upcr_inst_malloc(here, 10);
    p = upcr_inst_realloc(here, p, 20);
    upcr_inst_free(here, p);
    upcr_inst_free(here, upcr_inst_calloc(here, 3, 4));
    upcr_inst_upc_free(here, upcr_inst_upc_alloc(here, 5));
    upcr_inst_upc_free(here, upcr_inst_upc_local_alloc(here, 5, 6));
    upcr_inst_upc_free(here, upcr_inst_upc_global_alloc(here, 7, 8));
    upcr_inst_upc_all_free(here, upcr_inst_upc_all_alloc(here, 9, 10));
    upcr_pts_t lock = upcr_inst_upc_all_lock_alloc(here);
    upcr_inst_upc_lock(here, lock);
    upcr_inst_upc_unlock(here, lock);
    upcr_barrier(0, 0);
    if (UPCR_MYTHREAD == 0 && upcr_inst_upc_lock_attempt(here, lock))
        upcr_inst_upc_unlock(here, lock);
    upcr_inst_upc_all_lock_free(here, lock);
    upcr_inst_upc_lock_free(here, upcr_inst_upc_global_lock_alloc(here));
}

static void transfers(void)
{
    upcr_site *here = &sites[PLAIN];
    upcr_pts_t other = upcr_make(1 % (size_t)UPCR_THREADS, 0, upcr_addrfield(UPCR_STATIC(record))), numbers_start = UPCR_STATIC(numbers);
    char buffer[4];
    struct upcr_transfer *handles[2] = {0, 0};
    if (UPCR_MYTHREAD == 0) {
        upcr_inst_upc_memset(here, other, 1, 2);
        upcr_inst_upc_memget(here, buffer, other, 3);
        upcr_inst_upc_memput(here, other, buffer, 4);
        upcr_inst_upc_memcpy(here, numbers_start, other, 5);
        upcr_inst_upc_sync(here, upcr_inst_upc_memget_nb(here, buffer, other, 3));
        CHECK(upcr_inst_upc_sync_attempt(here, upcr_inst_upc_memput_nb(here, other, buffer, 4)));
        upcr_inst_bupc_memcpy_asynci(here, numbers_start, other, 5);
        upcr_inst_upc_memset_nbi(here, other, 0, 6);
        upcr_inst_upc_synci(here);
        upcr_inst_bupc_waitsync_all(here, handles, 2);
        CHECK(upcr_inst_bupc_trysync_some(here, handles, 2));
    }
    upcr_inst_upc_all_broadcast(here, UPCR_STATIC(record), numbers_start, 4, 9);
    upcr_inst_upc_all_reduceI(here, UPCR_STATIC(record), numbers_start, 1, 2 * (size_t)UPCR_THREADS, 1, 0, 9);
    upcr_inst_upc_all_prefix_reduceD(here, UPCR_NULL, UPCR_NULL, 1, 0, 1, 0, 9);
}

static void users(void)
{
    upcr_site *here = &sites[PLAIN];
    upcr_u32 event = upcr_inst_pupc_create_event(here, "mine", "%d %s %f", (const char *)0, 0);
    CHECK(event == GASP_UPC_USEREVT_START);
    CHECK(upcr_inst_pupc_create_event(here, "another", (const char *)0, 0) == event + 1);
    CHECK(upcr_inst_pupc_control(here, 0) != 0);
    CHECK(upcr_inst_pupc_control(here, 1) == 0);
    upcr_inst_pupc_event_start(here, event, 42, "words", 2.5);
    upcr_inst_pupc_event_end(here, event, 43, "more", 0.25);
    upcr_inst_pupc_event_atomic(here, event + 1);
    pupc_event_stop(event, evaluations++);
}

static void end(const char *how)
{
    int last = UPCR_MYTHREAD == UPCR_THREADS - 1;
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "global") == 0 && last)
        upcr_inst_upc_global_exit(&sites[PLAIN], 4);
    if (strcmp(how, "plain") == 0 && last)
        upc_global_exit(5);
    if (strcmp(how, "segv") == 0 && last)
        raise(SIGSEGV);
    if (strcmp(how, "die") == 0 && last)
        upcr_wait(0, 0);
    if (strcmp(how, "fork") == 0) {
        pid_t child = fork();
        if (child == 0) {
            upcr_inst_fence(&sites[PLAIN]);
            exit(0);
        }
        waitpid(child, NULL, 0);
        return;
    }
    if (strcmp(how, "events") == 0)
        for (;;)
            upcr_inst_pupc_create_event(&sites[PLAIN], "one of many", (const char *)0, 0);
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    UPCR_INST_FUNCTION(&sites[MAIN]);
    if (argc > 1) {
        UPCR_INST_FORALL(&sites[PLAIN]);
        upcr_barrier(0, 0);
        end(argv[1]);
        return 0;
    }
    accesses();
    synchronization();
    scopes();
    heap_and_locks();
    transfers();
    users();
    return 6;
}
