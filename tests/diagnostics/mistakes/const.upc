const int k = 1;
struct s { const int a; } t;
void f(const char *p) { k = 2; k++; *p = 0; t.a = 3; } //~ E0304 @25 `k` is const: it cannot be assigned to //~ E0304 @32 `k` is const: it cannot be assigned to //~ E0304 @37 `*p` is const: it cannot be assigned to //~ E0304 @45 `t.a` is const: it cannot be assigned to
