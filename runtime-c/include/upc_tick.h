/* <upc_tick.h> of UPC 1.3 (library section, "High-performance wall-clock timers"). */
#pragma GCC system_header
#ifndef __UPC_TICK_H__
#define __UPC_TICK_H__

#include <stdint.h>

typedef uint64_t upc_tick_t;

#define UPC_TICK_MIN ((upc_tick_t)0)
#define UPC_TICK_MAX (~(upc_tick_t)0)

extern upc_tick_t upc_ticks_now(void);
extern uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#endif
