/* Statements, functions, variable length arrays, scopes. */
#include <stdio.h>
#include <stdarg.h>
#include <setjmp.h>
static int duff(char *to, const char *from, int n) {
  int k = (n + 7) / 8;
  switch (n % 8) {
    case 0: do {
      *to++ = *from++;
      case 7: *to++ = *from++;
      case 6: *to++ = *from++;
      case 5: *to++ = *from++;
      case 4: *to++ = *from++;
      case 3: *to++ = *from++;
      case 2: *to++ = *from++;
      case 1: *to++ = *from++;
    } while (--k > 0);
  }
  return k;
}
static int rng(unsigned char c) {
  switch (c) {
    case 'a' ... 'f': return 1;
    case '0' ... '9': return 2;
    case 200 ... 255: return 3;
    default: return 0;
  }
}
static long sw(long x) {
  switch (x) {
    case -1: return 1;
    case 0x100000000: return 2;
    case -0x7fffffffffffffff - 1: return 3;
    default: ;
  }
  switch ((char)x) {
    case -1: return 9;
    case 'z': { int y; y = 4; return y; }
  }
  switch (x) case 77: return 5;
  switch (x) {
    int q;
    case 78: q = 1;
    return q + 10;
    default: break;
  }
  return 0;
}
static int interp(const unsigned char *code) {
  static void *tab[] = { &&inc, &&dec, &&dbl, &&end };
  static const int rel[] = { &&inc - &&inc, &&dec - &&inc };
  int acc = rel[0];
  goto *tab[*code++];
  inc: acc++;
  goto *tab[*code++];
  dec: acc--;
  goto *tab[*code++];
  dbl: acc *= 2;
  goto *tab[*code++];
  end: return acc;
}
static int vsum(int n, ...) {
  va_list ap, aq;
  va_start(ap, n);
  va_copy(aq, ap);
  int t = 0;
  for (int i = 0; i < n; i++) t += va_arg(ap, int);
  va_end(ap);
  for (; n--;) t += va_arg(aq, int) * 2;
  va_end(aq);
  return t;
}
static double vmix(const char *f, ...) {
  va_list ap;
  double t = 0;
  va_start(ap, f);
  for (; *f; ++f) switch (*f) {
    case 'i': t += va_arg(ap, int);
    break;
    case 'd': t += va_arg(ap, double);
    break;
    case 'l': t += va_arg(ap, long);
    break;
    case 's': t += *va_arg(ap, char *);
    continue;
    case 'S': { struct p { int a, b; } p = va_arg(ap, struct p); t += p.b; }
  }
  va_end(ap);
  return t;
}
int kr(a, b, c, p) int a, *p;
char b;
float c;
{
  return a + b + (int)c + *p;
}
int kr2();
int kr2(x) short x;
{
  return x;
}
kr3(f) int (*f)();
{
  return f(2);
}
static inline int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
typedef int (*op)(int, int);
static int add(int a, int b) {
  return a + b;
}
static int sub(int a, int b) {
  return a - b;
}
static op pick(int w) {
  return w ? add : &sub;
}
static int (*pick2(int w))(int, int) {
  return w ? &add : sub;
}
static int (*(*pick3)(int))(int, int) = pick2;
static int (*ops[])(int, int) = { add, &sub, *add };
static int apply(int f(int, int), int a[static 2]) {
  return f(a[0], a[1]);
}
struct big { int a[20]; };
static struct big mk(int x) {
  struct big b = {{x}};
  b.a[19] = x * 2;
  return b;
}
static int gets_(struct big b) {
  b.a[0]++;
  return b.a[0] + b.a[19];
}
#define max(a, b) ({ typeof(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
static int vla(int n, int m, int a[n][m]) {
  int t = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) t += a[i][j];
  return t + (int)sizeof(a[0]) + (int)sizeof(int[n + 1]);
}
static int into(int x) {
  int r = 0;
  if (x) goto in;
  {
    r += 1;
    in: r += 10;
  }
  for (;;) {
    r++;
    if (r > 15) break;
    else continue;
  }
  do r++;
  while (0);
  while (r < 30) if (r & 1) r += 3;
  else r += 2;
  if (x) if (r > 5) r = 1;
  else r = 2;
  if (x) {
    if (r > 50) r = 1;
  } else r = 7;
  out: __attribute__((unused));
  return r;
}
static jmp_buf jb;
static int T = 1;
int main(void) {
  char buf[20];
  duff(buf, "0123456789abcdefghi", 19);
  printf("%.19s\n", buf);
  printf("%d%d%d%d\n", rng('c'), rng('5'), rng(222), rng('z'));
  printf("%ld %ld %ld %ld %ld %ld %ld\n", sw(-1), sw(1L<<32), sw(-0x7fffffffffffffff-1), sw('z'), sw(77), sw(78), sw(511));
  printf("%d\n", interp((unsigned char[]){0,0,2,1,2,3}));
  printf("%d\n", vsum(3, 1, 2, 3));
  struct p { int a, b; } p = {1, 2};
  printf("%g\n", vmix("idlsS", 1, 2.5, 3L, "a", p));
  int q = 4;
  printf("%d %d %d\n", kr(1, 2, 3.7, &q), kr2(70000), kr3(kr2));
  printf("%d\n", fib(15));
  printf("%d %d %d %d %d %d\n", pick(1)(3, 4), (*pick(0))(3, 4), pick3(1)(5, 6), (**ops[1])(9, 3), ops[2](1, 1), apply(sub, (int[]){9, 4}));
  printf("%d %d\n", mk(4).a[19], gets_(mk(5)));
  struct big bb;
  bb = mk(6);
  bb = *&bb;
  printf("%d\n", (bb, mk(7)).a[0]);
  printf("%d %g\n", max(3, 4), max(2.5, 1));
  int mm[2][3] = {1,2,3,4,5,6};
  printf("%d\n", vla(2, 3, mm));
  int n = 4;
  int v[n], w[n][n * 2];
  v[3] = 5;
  w[3][7] = 6;
  printf("%d %d %d %d\n", (int)sizeof v, (int)sizeof w, (int)sizeof w[0], v[3] + w[3][7]);
  n = 9;
  printf("%d %d\n", (int)sizeof v, (int)(sizeof(int[n])));
  typedef int VT[n];
  VT vt;
  n = 2;
  printf("%d\n", (int)sizeof vt);
  int (*pv)[n] = (void *)vt;
  pv[1][0] = 3;
  printf("%d %d\n", vt[2], (int)sizeof *pv);
  printf("%d\n", (int)sizeof(n++, n));
  printf("%d\n", (int)sizeof(int[n++]));
  printf("%d %d\n", n, (int)sizeof(v[n++]));
  printf("%d\n", n);
  printf("%d %d\n", into(0), into(1));
  {
    typedef char T;
    T x = 5;
    printf("%d %d\n", (int)sizeof(T), x);
  }
  printf("%d\n", T);
  {
    int T = T = 3;
    printf("%d\n", T);
    for (int T = 0; T < 2; T++) {
      int T = 9;
      printf("%d", T);
    }
  }
  enum { T2 = 4 };
  {
    enum { T2 = T2 + 1 };
    printf(" %d", T2);
  }
  printf(" %d\n", T2);
  static int cnt;
  for (int i = 0; i < 3; ++i) {
    static int cnt = 10;
    cnt++;
    printf("%d ", cnt);
  }
  printf("%d\n", cnt);
  extern int ext;
  printf("%d\n", ext);
  {
    extern int ext;
    ext++;
  }
  printf("%d\n", ext);
  switch (setjmp(jb)) {
    case 0: longjmp(jb, 2);
    case 2: puts("jumped");
  }
  int r = ({ int t = 0; for (int i = 0; i < 5; i++) { if (i == 3) break; t += i; } t; });
  printf("%d\n", r);
  printf("%d\n", ({ goto L; 1; L: 2; }));
  int k = 0;
  a: b: if (k++ < 3) goto a;
  printf("%d\n", k);
  __label__1: ;
  {
    __label__ lx;
    goto lx;
    lx: ;
  }
  {
    __label__ lx;
    void *pp = &&lx;
    goto *pp;
    lx: printf("%s\n", __func__);
  }
  printf("%s %s\n", __FUNCTION__, __PRETTY_FUNCTION__);
  for (int i = 0, *pi = &i, j = 10; i < j; (*pi)++, j--) ;
  for (struct { int a; float f; } s = {0, .5f}; s.a < 2; s.a++) printf("%g ", s.f);
  puts("");
  const int ci = 3;
  const int *const cpi = &ci;
  volatile int vi = ci;
  int *restrict rp = &q;
  printf("%d %d %d\n", *cpi, vi, *rp);
  register int ri = 3;
  auto int ai = 4;
  __auto_type at = 3.5;
  printf("%d %g\n", ri + ai, at);
  typeof(int *) tp = &q;
  typeof(*tp) tq = 4;
  __typeof__(mm) tm = {{1}};
  printf("%d %d %d\n", *tp, tq, (int)sizeof tm);
  return 0;
}
int ext = 42;
