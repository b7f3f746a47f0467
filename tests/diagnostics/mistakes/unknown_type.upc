#include <upc.h>
mytype x; //~ E0219 @1 unknown type name `mytype`
mytype *f(mytype a, int b) { mytype c = a; return &x; }
