// What gcc alone has: forward declarations of parameters, members of variable length, arithmetic of small complex integers.

extern int printf(const char *, ...);

static int trace(int n; int a[n][n], int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i][i];
    return sum + sizeof a[0];
}

static double last(int n; int m; double a[n][m], int n, int m) { return a[n - 1][m - 1] + sizeof *a; }

static int (*as_pointer)(int n; int a[n][n], int n) = trace;

int main(void) {
    int a[2][2] = {{1, 2}, {3, 4}};
    double d[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int n = 3;
    struct variable { char text[n]; int last; } v;
    _Complex short z = 3 - 1i;
    v.last = 5;
    printf("%d %d %d\n", (int)sizeof v, (int)sizeof(struct variable), v.last);
    printf("%d %d\n", (int)sizeof(z + z), (int)sizeof(z + 1));
    printf("%d %d %g\n", trace(a, 2), as_pointer(a, 2), last(d, 2, 3));
    return 0;
}
