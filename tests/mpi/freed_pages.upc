// question: are the pages of large blocks that are freed given back to the system on every machine?
// threads: 3
#include "../programs/freed_pages.upc"
