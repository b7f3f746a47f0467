// UPC 6.2 p3: `shared`, `strict` and `relaxed` are keywords; a unit that uses one of them as a name only is read as C in that respect (an extension).

struct s { int strict; } relaxed;
int f(void) { return relaxed.strict; }
shared int x;
int shared = 1; //~ E0100 @12 before `=`
