#include <upc.h>
shared point_t *p; //~ E0219 @8 unknown type name `point_t`
int f(void) { return p->x; }
