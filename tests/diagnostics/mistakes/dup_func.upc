int f(int a) { return a; }
int f(int a) { return a + 1; } //~ E0201 @5 `f` is defined a second time
double f(int b); //~ E0200 @8 `f` is declared as `double (int)` here, but was `int (int)`
