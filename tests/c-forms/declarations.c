/* Declarators, tags, shadowed names, folding, case labels. */
#include <stdio.h>
typedef int v4 __attribute__((vector_size(16)));
struct w { v4 a; int t; } wg = {1,2,3,4,5}, wa[2] = {{{1,2,3,4},5},6,7,8,9,10};
v4 va[2] = {1,2,3,4,5,6,7,8}, vb[3] = {[1] = {5}, [2] = 9};
struct un { struct { int k; struct { int a, b; }; } n; int z; } x = {1, {2, 3}, 4}, y = {.n.a = 3, 4, 5}, zz = {{1,
.b = 4}, 6};
struct outer { struct inner { int x; } b; enum col { RED, GREEN = 5 } c; union { int q; struct { char r, s; } t; } u[2]; } o = {{1},
GREEN, {{3}, {.t.s = 4}}};
typedef int T;
static T shadow(T T) {
  return T + 1;
}
struct S { int a; };
static int tagshadow(void) {
  struct S s = {1};
  {
    struct S { char c[10]; };
    struct S t = {{2}};
    return s.a + t.c[0] + (int)sizeof(struct S);
  }
}
static int typeofshadow(void) {
  typedef long T;
  T a = 1;
  {
    typedef char T;
    __typeof__(a) b = 1;
    T c = 2;
    return (int)(sizeof a + sizeof b * 100 + sizeof c * 10);
  }
}
static int inparam(struct loc { int q; } *p, enum { INP = 4 } e) {
  return p->q + e + INP;
}
static struct ret { int a, b; } retdef(void) {
  struct ret r = {1, 2};
  return r;
}
static int (*arrfp[2])(T), *const cp = 0;
static const char *const names[] = {"a", "b"};
static int (*(*fpp)(int (*)[3], ...))[3];
static int (*getarr(int (*a)[3], ...))[3] { return a + 1; }
volatile const unsigned long long int vll = 5;
long unsigned lu = 6;
short signed int ssi = -1;
char unsigned cu = 255;
static int qual(const int a[restrict const 3], int b[], int (*c)(void), char *const *volatile d) {
  return a[0] + b[0] + (c ? c() : 0) + **d;
}
static int five(void) {
  return 5;
}
static void nothing() {
  return;
}
static void voidret(void) {
  return nothing();
}
static int condvoid(int x) {
  x ? nothing() : (void)0;
  (void)(x, nothing());
  return x ? five() : 0;
}
static int fall(int x) {
  switch (x) {
    case 1: x++;
    __attribute__((fallthrough));
    case 2: x += 10;
    break;
    case 3: default: x = 0;
  }
  return x;
}
static int ifs(int a, int b) {
  if (a) if (b) return 1;
  else return 2;
  if (a) {
    if (b) return 3;
  } else return 4;
  if (a) for (;;) if (b) break;
  else return 5;
  else return 6;
  while (a) if (b) {
    break;
  } else return 8;
  return 7;
}
static unsigned fold(void) {
  return sizeof(int) * 3 - 13 + (unsigned)-1 / 2 + (1 ? -1 : 0u) + ('a' == 97) + (int)3.9 + !5 + ~0u + (0 && 1/0) + (1 || 1/0) + (1 << 31 >> 31) + (-7 / 2) + (-7 % 3) + (char)200 + (unsigned char)-1 + (short)70000 + (_Bool)7;
}
static int cases(unsigned char c) {
  switch (c) {
    case (unsigned char)-1: return 1;
    case 'a' + 1: return 2;
    case sizeof(int): return 3;
    case 300 - 290: return 4;
  }
  return 0;
}
static int neg(long x) {
  switch (x) {
    case -5 ... -3: return 1;
    case ~0: return 2;
    case (int)0x80000000: return 3;
    case 0x80000000: return 4;
  }
  return 0;
}
static int bits(void) {
  struct { long a : 40; unsigned b : 1; int c : 2; } s = { -1, 1, 1 };
  s.a = 1L << 38;
  s.c++;
  s.b += 1;
  s.a *= 2;
  return (s.a < 0) + s.c * 10 + s.b * 100;
}
static void *ptrs(int *p, void *v, const char *c) {
  p = p + (c - c);
  v = p;
  p = v;
  c = v;
  return (p != 0 && !v) ? (void *)c : p == v ? v : (void *)0;
}
#define SWAP(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
int g = 3;
int *gp = &g;
extern int g;
int tent;
int tent;
int tent = 4;
extern int later[];
int later[3] = {1, 2, 3};
static int fwd(int);
int usefwd(void) {
  return fwd(2);
}
static int fwd(int x) {
  return x * 7;
}
extern inline __attribute__((gnu_inline)) int gi(int x) {
  return x;
}
int gi(int x) {
  return x + 1;
}
int main(void) {
  printf("%d %d %d %d %d %d\n", wg.a[3], wg.t, wa[1].a[0], wa[1].t, va[1][1], vb[1][0] + vb[2][0]);
  printf("%d %d %d %d %d %d %d %d\n", x.n.k, x.n.a, x.n.b, x.z, y.n.b, y.z, zz.n.b, zz.z);
  printf("%d %d %d %d\n", o.b.x, o.c, o.u[0].q, o.u[1].t.s);
  struct inner i = {4};
  enum col c = RED;
  printf("%d %d\n", i.x, c);
  printf("%d %d %d\n", shadow(3), tagshadow(), typeofshadow());
  struct loc2 { int q; } l = {3};
  printf("%d\n", inparam((void *)&l, 2));
  printf("%d\n", retdef().b);
  int a[2][3] = {1,2,3,4};
  fpp = getarr;
  printf("%d\n", (*fpp(a))[0]);
  char *s = "A";
  printf("%d\n", qual(a[0], a[1], five, &s));
  voidret();
  printf("%d %d %d %d\n", condvoid(1), fall(1), fall(2), fall(3));
  for (int i = 0; i < 4; i++) printf("%d ", ifs(i & 1, i >> 1));
  printf("%u\n", fold());
  printf("%d %d %d %d %d\n", cases(255), cases('b'), cases(4), cases(10), cases(0));
  printf("%d %d %d %d\n", neg(-4), neg(-1), neg(-2147483648L), neg(2147483648L));
  printf("%d\n", bits());
  printf("%d\n", ptrs(&g, gp, s) == &g);
  int p = 1, q = 2;
  SWAP(p, q);
  printf("%d %d\n", p, q);
  printf("%d %d %d %d\n", tent, later[2], usefwd(), gi(1));
  arrfp[0] = shadow;
  printf("%d %d %s\n", arrfp[0](1), cp == 0, names[1]);
  printf("%llu %lu %d %d\n", vll, lu, ssi, cu);
  struct { int a; } un1 = {1}, un2;
  un2 = un1;
  printf("%d\n", un2.a);
  struct { struct { int z; } in[2]; } nest = {{{1}, {2}}};
  __typeof__(nest.in[0]) cp2 = nest.in[1];
  printf("%d\n", cp2.z);
  union { int i; struct { short lo, hi; }; } uu = { .hi = 1 };
  printf("%d\n", uu.i);
  struct { int n; struct { int x, y; } arr[]; } *fl = __builtin_alloca(100);
  fl->n = 2;
  fl->arr[1].y = 7;
  printf("%d %d\n", fl->arr[1].y, (int)sizeof *fl);
  int n = 3;
  int (*vp)[n] = &(int[3]){
    1, 2, 3
  };
  (void)vp;
  int vv[n][2];
  int (*pp)[2] = vv;
  pp[2][1] = 4;
  printf("%d\n", (*(vv + 2))[1]);
  struct vs { int a[4]; } vs = {{1,2,3,4}}, *vsp = &vs;
  printf("%d %d\n", *(vsp->a + 1), (&vs)->a[2]);
  int *e = &vsp->a[3], *f = vsp->a;
  printf("%ld %d\n", (long)(e - f), e[-1]);
  printf("%d\n", (*&vs).a[0]);
  printf("%d %d\n", *&*&n, (&n)[0]);
  (n) = (5);
  ((n)) += (2);
  printf("%d\n", n);
  (*(&n))++;
  printf("%d\n", -n - -n);
  const char *str = "tri" "graph\?\?=" "\n\t\v\\\"\101\x41";
  printf("%s\n", str);
  printf("%ls %d\n", L"wide", (int)sizeof(L"x" "y"));
  printf("%d\n", (int)sizeof(u8"z"));
  char big[] = { "a\0b" };
  printf("%d\n", (int)sizeof big);
  return 0;
}
