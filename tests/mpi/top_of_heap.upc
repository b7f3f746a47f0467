// question: are the bytes at the very end of memory, of which machines may have agreed on less than each would give, cached as all others?
// set: UPC_CACHE=on
#include "../programs/top_of_heap.upc"
