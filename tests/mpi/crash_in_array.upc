// question: does the launcher of a thread, which has no thread in it, know whose element the address of a fault is?
// threads: 2 4
// status: 139
// stderr: upc thread 1 of
// stderr: crash_in_array.upc:16 (touch): killed by SIGSEGV at address 0x
// stderr: (element 4003 of shared array `grid`, on thread 1)
#include "../programs/crash_in_array.upc"
