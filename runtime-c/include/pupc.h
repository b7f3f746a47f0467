/* <pupc.h>: what a program itself reports to a performance tool (GASP 1.5, section A.5; PUPC 1.1), and PUPC's clock. In units compiled with
   --inst the calls reach the tool with their place in the source; in others they evaluate their arguments, do nothing and leave no
   symbol. With PUPC_TOOL defined: what a tool of PUPC 1.1 needs in their place. */
#pragma GCC system_header
#ifndef UPCR_PUPC_H
#define UPCR_PUPC_H

#include "upcr/gasp_events.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UPCR_WITHOUT_SYMBOL static __inline__ __attribute__((__always_inline__, __unused__))
#ifdef PUPC_TOOL
#include "upcr/pupc_tool.h"
#elif defined __UPC_PUPC_INST__
extern int pupc_control(int on);
extern unsigned int pupc_create_event(const char *name, const char *desc, ...);
extern void pupc_event_start(unsigned int evttag, ...);
extern void pupc_event_end(unsigned int evttag, ...);
extern void pupc_event_atomic(unsigned int evttag, ...);
#else
UPCR_WITHOUT_SYMBOL int pupc_control(int on)
{
    (void)on;
    return 1;
}
UPCR_WITHOUT_SYMBOL unsigned int pupc_create_event(const char *name, const char *desc, ...)
{
    (void)name;
    (void)desc;
    return GASP_UPC_USEREVT_START;
}
UPCR_WITHOUT_SYMBOL void pupc_event_start(unsigned int evttag, ...)
{
    (void)evttag;
}
UPCR_WITHOUT_SYMBOL void pupc_event_end(unsigned int evttag, ...)
{
    (void)evttag;
}
UPCR_WITHOUT_SYMBOL void pupc_event_atomic(unsigned int evttag, ...)
{
    (void)evttag;
}
#endif

#ifndef PUPC_TOOL
/* PUPC 1.1 has no desc, GASP has one: it is the second argument or, after a name alone, the null pointer that is added here. */
#define pupc_create_event(...) pupc_create_event(__VA_ARGS__, (const char *)0, 0)

/* PUPC 1.1's name */
#define pupc_event_stop pupc_event_end
#endif

/* PUPC 1.1's clock. A difference of less than 2^32 microseconds is exact. */
typedef __UINT64_TYPE__ pupc_tick_t;
extern __UINT64_TYPE__ bupc_ticks_now(void);
extern __UINT64_TYPE__ bupc_ticks_to_us(__UINT64_TYPE__ ticks);
UPCR_WITHOUT_SYMBOL pupc_tick_t pupc_ticks_now(void)
{
    return bupc_ticks_now();
}
UPCR_WITHOUT_SYMBOL unsigned int pupc_ticks_to_us(pupc_tick_t ticks)
{
    return (unsigned int)bupc_ticks_to_us(ticks);
}
/* The clock is finer than the unit: rounded up. */
UPCR_WITHOUT_SYMBOL unsigned int pupc_tick_granularityus(void)
{
    return 1;
}
#undef UPCR_WITHOUT_SYMBOL

#ifdef __cplusplus
}
#endif

#endif
