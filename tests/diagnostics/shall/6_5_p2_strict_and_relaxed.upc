// UPC 6.5 p2: a declaration is not both strict and relaxed, through typedefs neither.
// UPC 6.5.2 p7: no list of qualifiers has both strict and relaxed.

typedef strict shared int strict_t;
typedef relaxed shared int relaxed_t;
typedef shared int shared_t;

strict relaxed shared int a; //~ E0503 @8 the type is both `strict` and `relaxed`
strict relaxed_t b; //~ E0503 @1
relaxed strict_t c; //~ E0503 @1
int *strict relaxed shared d; //~ E0503 @13
strict relaxed shared int *e; //~ E0503 @8
strict_t *relaxed shared f;
strict shared_t g;
relaxed relaxed_t h;
strict strict shared int i;
