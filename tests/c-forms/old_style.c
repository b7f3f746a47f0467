// Old-style parameter lists: declarations in another order, with sizes and records of their own; records without a name in expressions.

extern int printf(const char *, ...);

static int sizes(a, n)
    int n;
    int a[n][n];
{
    return sizeof *a + a[1][0];
}

static int record(p, s)
    struct pair { int x, y; } *s;
    char p;
{
    return p + s->x * s->y;
}

int main(void) {
    int a[2][2] = {{1, 2}, {3, 4}};
    printf("%d %d\n", sizes(a, 2), record(300, &(struct { int x, y; }){6, 7}));
    printf("%d %g\n", (union { float f; int i; }){1.0f}.i, (struct { double d; }){2.5}.d);
    return 0;
}
