// Events of the program itself: the place of each, and arguments that follow its format.
#include <pupc.h>
#include <upc.h>

shared int a[THREADS];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    unsigned step = pupc_create_event("step", "i=%d x=%.2f %s");
    unsigned bare = pupc_create_event("bare", NULL);
    unsigned old = pupc_create_event("old");
    unsigned nameless = pupc_create_event(NULL, NULL);
    for (int i = 0; i < 2; i++) {
        pupc_event_start(step, i, 0.5, "go");   //#go
        pupc_event_end(step, i, 1.5, "gone");   //#gone
    }
    //= go:9 step START i=0 x=0.50 go
    //= gone:9 step END i=0 x=1.50 gone
    //= go:9 step START i=1 x=0.50 go
    //= gone:9 step END i=1 x=1.50 gone
    pupc_event_atomic(bare);                    //= 5 bare ATOMIC
    pupc_event_start(old);                      //= 5 old START
    pupc_event_stop(old);                       //= 5 old END
    pupc_event_start(nameless);                 //= 5 user_event_4 START
    pupc_event_end(nameless);                   //= 5 user_event_4 END
#pragma pupc off
    // User events are reported nevertheless.
    pupc_event_atomic(bare);                    //= 5 bare ATOMIC
    a[0] = 1;
#pragma pupc on
    // Nothing is reported until it is switched on again.
    int before = pupc_control(0);
    pupc_event_atomic(bare);
    upc_barrier;
    pupc_tick_t start = pupc_ticks_now();
    if (!before || pupc_ticks_to_us(pupc_ticks_now() - start) > 10000000 || pupc_tick_granularityus() > 100)
        upc_global_exit(9);
    pupc_control(1);
    pupc_event_atomic(bare);                    //= 5 bare ATOMIC
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
