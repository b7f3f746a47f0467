int f(int a, int b);
int f(int a, char *b) { return a; } //~ E0200 @5 `f` is declared as `int (int, char *)` here, but was `int (int, int)`
int g(void) { return f(1, 2, 3); } //~ E0310 @30 `f` takes 2 arguments, 3 given
