// question: do the pointer, time and topology functions of <upc.h> agree with the language, with nothing else included?
// counts: UPC_BARRIER=THREADS, C_FUNC=4*THREADS
#include "../../programs/check.h"
#include <string.h>

static shared [3] int blocked[3 * 4 * THREADS];
static shared int cyclic[4 * THREADS];
static shared [] int indefinite[12];

static void arithmetic(void)
{
    int i, n = 12 * THREADS;
    for (i = 0; i < n; i++) {
        shared [3] int *p = &blocked[n - 1 - i], *q = bupc_ptradd(p, 3, sizeof(int), 2 * i - n + 1), *r = &blocked[i];
        CHECK(q == r && upc_phaseof(q) == upc_phaseof(r));
    }
    for (i = 0; i < 4 * THREADS; i++)
        CHECK(bupc_ptradd(&cyclic[0], 1, sizeof(int), i) == (shared void *)&cyclic[i]);
    for (i = 0; i < 12; i++)
        CHECK(bupc_ptradd(&indefinite[11], 0, sizeof(int), -i) == (shared void *)&indefinite[11 - i]);
}

static void conversions(void)
{
    int *local = (int *)&cyclic[MYTHREAD];
    shared void *p;
    char text[BUPC_DUMP_MIN_LENGTH], thread[32];
    p = bupc_local_to_shared(local, (MYTHREAD + 1) % THREADS, 0);
    CHECK(p == (shared void *)&cyclic[(MYTHREAD + 1) % THREADS]);
    CHECK(bupc_local_to_shared(NULL, 0, 0) == NULL && bupc_inverse_cast(NULL) == NULL && bupc_inverse_cast(&p) == NULL);
    CHECK(bupc_inverse_cast(local) == (shared void *)&cyclic[MYTHREAD]);
    CHECK(bupc_cast(&cyclic[MYTHREAD]) == local);
    CHECK(bupc_castable(&cyclic[MYTHREAD]) && bupc_castable(NULL) && bupc_thread_castable(MYTHREAD) && !bupc_thread_castable(THREADS));
    CHECK(bupc_dump_shared(&blocked[4], text, sizeof text) == 0);
    sprintf(thread, "thread=%d, phase=1", 1 % THREADS);
    CHECK(strstr(text, thread) != NULL);
    CHECK(bupc_dump_shared(NULL, text, sizeof text) == 0 && upc_dump_shared(NULL, text, 10) == -1);
}

int main(void)
{
    int i;
    bupc_tick_t start = bupc_ticks_now();
    arithmetic();
    conversions();
    for (i = 0; i < THREADS; i++) {
        unsigned d = bupc_thread_distance(MYTHREAD, i);
        CHECK((d == BUPC_THREADS_SAME) == (i == MYTHREAD) && d <= BUPC_THREADS_VERYFAR);
        CHECK(d == bupc_thread_distance(i, MYTHREAD));
    }
    bupc_poll();
    upc_poll();
    CHECK(bupc_getenv("UPC_NO_SUCH_VARIABLE_HERE") == NULL);
    bupc_trace_setmask("PG");
    bupc_trace_settracelocal(1);
    bupc_trace_printf(("%d threads", THREADS));
    CHECK(*bupc_trace_getmask() == 0 && *bupc_stats_getmask() == 0 && !bupc_trace_gettracelocal());
    CHECK(bupc_ticks_to_us(bupc_ticks_now() - start) <= bupc_ticks_to_ns(bupc_ticks_now() - start));
    CHECK(bupc_tick_overheadus() >= 0 && bupc_tick_overheadus() < 100 && bupc_tick_granularityus() < 100);
    return pass();
}
