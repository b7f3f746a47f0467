int x;
static int x; //~ E0225 @12 `x` is static here, but was not declared static before
void f(void);
static void f(void) {} //~ E0225 @13 `f` is static here, but was not declared static before
