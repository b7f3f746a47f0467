/* <upc_race.h>: a region whose accesses take no part in the detection of data races (upcc -fupc-races). In other programs the functions
   do nothing. For C and C++, too. */
#pragma GCC system_header
#ifndef __UPC_RACE_H__
#define __UPC_RACE_H__

#ifdef __cplusplus
extern "C" {
#endif

/* Regions nest. What the calling thread accesses between the outermost begin and its end is neither reported nor reported against;
   locks, barriers and strict accesses order as they do elsewhere. */
extern void upc_race_ignore_begin(void);
extern void upc_race_ignore_end(void);

#ifdef __cplusplus
}
#endif

#endif
