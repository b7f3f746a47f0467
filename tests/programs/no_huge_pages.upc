// question: is the system asked for small pages if the user wants them?
// set: UPC_NO_HUGE_PAGES=1
#include "huge_pages.upc"
