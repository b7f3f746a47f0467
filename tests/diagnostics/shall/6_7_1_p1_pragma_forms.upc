// UPC 6.7.1 p1: `#pragma upc` has the word `strict` or `relaxed` after it, and macros are not replaced in it.
#include <upc.h>
#define FORM strict
#pragma upc strict
#pragma upc relaxed
#pragma upc fast //~ W0800 @1 unknown pragma upc fast
#pragma upc //~ W0800 @1 without `strict` or `relaxed`
#pragma upc STRICT //~ W0800 @1
#pragma upc FORM //~ W0800 @1
#pragma upc strict relaxed //~ W0800 @1 `relaxed` after `#pragma upc strict`
#pragma other relaxed
#define strict_forms 1
#pragma upc strict
shared int x;
