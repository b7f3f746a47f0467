/* GNU extensions and C11: vectors, complex, __int128, attributes, asm, alignment, atomics. */
#include <stdio.h>
#include <complex.h>
#include <stddef.h>
#include <stdalign.h>
#include <stdatomic.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float vf4 __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));
struct __attribute__((packed)) pk { char a; int b; short c; };
struct pk2 { char a; int b __attribute__((packed)); } __attribute__((aligned(16)));
struct al { char c; _Alignas(32) int x; alignas(double) char d; int y __attribute__((aligned(64))); };
#pragma pack(push, 1)
struct pp { char a; long b; struct { short s; double d; } in; };
#pragma pack(pop)
struct pn { char a; long b; };
#define G(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", unsigned long: "ulong", char: "char", signed char: "schar", unsigned char: "uchar", short: "short", float: "float", double: "double", long double: "ldouble", char *: "char*", const char *: "cchar*", int *: "int*", void *: "void*", _Bool: "bool", float _Complex: "fc", double _Complex: "dc", default: "other")
static __int128 big = (__int128)1 << 100;
static unsigned __int128 ub = ~(unsigned __int128)0;
static void p128(__int128 x) {
  printf("%llx:%llx\n", (unsigned long long)(x >> 64), (unsigned long long)x);
}
_Alignas(64) static char aligned_buf[3];
static int __attribute__((aligned(32), unused)) ai;
_Thread_local static int tl = 4;
__thread int tl2 = 5;
static _Atomic int at = 3;
_Atomic(long) al;
__attribute__((noinline, const)) static int ninl(int x) {
  return x * 2;
}
int weakf(void) __attribute__((weak, alias("weakimpl")));
int weakimpl(void) {
  return 77;
}
extern int aliased __attribute__((alias("real_one")));
int real_one = 12;
int asmname(void) __asm__("asm_name_x");
int asmname(void) {
  return 5;
}
__attribute__((constructor)) static void ctor(void) {
  real_one++;
}
__attribute__((format(printf, 1, 2))) static int pf(const char *f, ...) {
  return f[0];
}
static int sect __attribute__((section(".mydata"))) = 3;
_Noreturn void die(void);
void die(void) {
  for (;;) ;
}
static inline __attribute__((always_inline)) int ai_(int x) {
  return x + 1;
}
_Static_assert(sizeof(struct pk) == 7, "packed");
typedef struct node { struct node *next; int v; } node;
struct fwd;
struct fwd *fw;
struct fwd { int z; };
typedef int fn_t(int), *ip_t, arr_t[3];
fn_t fdecl;
int fdecl(int x) {
  return x - 1;
}
typedef enum { X1, X2 = 10 } et;
typedef union { int i; void *p; } __attribute__((transparent_union)) tu;
static int tuf(tu u) {
  return u.i;
}
static char cbuf[] = { [0 ... 2] = 'x', 0 };
int main(void) {
  v4 a = {1,2,3,4}, b = {5,6,7,8}, c = a + b * 2;
  c[1] = 100;
  c += a;
  printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
  v4 m = a < b;
  printf("%d %d\n", m[0], (a > b)[1]);
  vf4 f = {1.5f};
  f *= 2;
  printf("%g\n", f[0]);
#ifndef __clang__
  v4 sh = __builtin_shuffle(a, b, (v4){0,4,1,5});
  printf("%d\n", sh[1]);
#endif
  v4 neg = -a, nt = ~a, sl = a << 1;
  printf("%d %d %d\n", neg[0], nt[0], sl[3]);
  v16 cast = (v16)a;
  printf("%d %d\n", cast[0], (int)sizeof cast);
  v4 *vp = &a;
  (*vp)[2] = 9;
  printf("%d\n", vp[0][2]);
  vf4 cv = __builtin_convertvector(a, vf4);
  printf("%g\n", cv[2]);
  double complex z = 1 + 2 * I, w = z * z;
  printf("%g %g\n", creal(w), cimag(w));
  printf("%g %g\n", __real__ z, __imag__ z);
  __real__ z = 5;
  __imag__ z += 1;
  float _Complex fc = z;
  printf("%g %g %d\n", crealf(fc), cimagf(fc), (int)sizeof fc);
  z = ~z;
  printf("%g %d %d\n", cimag(z), z == w, z != 0);
  z = 3;
  double re = z;
  printf("%g\n", re);
  int _Complex ic = 1 + 2i;
  printf("%d %d\n", __real__ ic, __imag__(ic * ic));
  z = 1.0iF + 2;
  printf("%g\n", cimag(z));
  if (z) puts("true");
  z++;
  printf("%g\n", creal(-z));
  printf("%g\n", __builtin_complex(1.0, 2.0) == z ? 1. : 2.);
  p128(big);
  p128(ub);
  p128(big * 3 - 1);
  p128(-big);
  p128(big / 7);
  p128(ub >> 3);
  big += 1;
  p128(big);
  int i = -1;
  p128(i);
  unsigned u = -1;
  p128(u);
  p128((__int128)0x123456789abcdef0 << 64 | 5);
  double d = big;
  printf("%g\n", d);
  printf("%d\n", big > 0);
  printf("%s %s %s %s %s %s %s %s %s %s %s\n", G(1), G(1u), G('a'), G((char)1), G(1L), G(1.f), G("s"), G(&i), G((short)1 + (short)1), G((void *)0), G(1 ? 1 : 2L));
  printf("%s %s %s %s\n", G(1.0i), G(i ? &i : 0), G(i ? (void *)0 : &i), G(sizeof 1));
  struct { unsigned b3 : 3; unsigned long b33 : 33; } bf = {1, 2};
  printf("%s %s %s\n", G(bf.b3 + 1), G(+bf.b3), G((_Bool)1));
  printf("%s %s %s\n", G((const int)1), G(1 == 1), G(&*"abc"));
  printf("%d %d %d %d %d %d %d\n", (int)sizeof(struct pk), (int)sizeof(struct pk2), (int)sizeof(struct al), (int)_Alignof(struct al), (int)sizeof(struct pp), (int)offsetof(struct pp, in.d), (int)sizeof(struct pn));
  printf("%d %d %d\n", (int)((unsigned long)aligned_buf % 64), (int)((unsigned long)&ai % 32), (int)__alignof__(aligned_buf));
  tl++;
  tl2--;
  at++;
  atomic_fetch_add(&at, 5);
  al = 3;
  al += 2;
  printf("%d %d %d %ld\n", tl, tl2, at, al);
  printf("%d %d %d %d %d\n", ninl(4), aliased, asmname(), ai_(3), weakimpl());
  (void)pf;
  (void)sect;
  _Alignas(16) char lc[4] = "abc";
  printf("%s %d\n", lc, (int)((unsigned long)lc % 16));
  struct pk k = {1, 2, 3};
  k.b++;
  printf("%d %d\n", k.b, (int)((char *)&k.b - (char *)&k));
  node n2 = {0, 4}, n1 = {&n2, 3};
  printf("%d\n", n1.next->v + (&n1)->next[0].v);
  struct fwd ff = {8};
  fw = &ff;
  printf("%d\n", fw->z + (*fw).z);
  (*fw).z++;
  ip_t ipt = &i;
  arr_t at3 = {1,2,3};
  fn_t *fp = fdecl;
  printf("%d %d %d\n", *ipt, at3[2], (****fp)(4));
  et ev = X2;
  printf("%d\n", ev + X1);
  printf("%d\n", tuf((tu)5));
  printf("%s\n", cbuf);
  int x = 5, y;
  __asm__("movl %1, %0\n\taddl $1, %0" : "=r"(y) : "r"(x + 1) : "cc");
  printf("%d\n", y);
  __asm__ volatile("" ::: "memory");
  asm goto("jmp %l0" :::: lab);
  puts("no");
  lab: puts("asm goto");
  int out;
  asm("mov %[in], %[o]" : [o] "=&r"(out) : [in] "ri"(3));
  printf("%d\n", out);
  printf("%d %d %d\n", __builtin_popcount(255), __builtin_constant_p(3), __builtin_types_compatible_p(int, signed));
  printf("%d\n", __builtin_choose_expr(1, 5, "x"));
  int ov;
  printf("%d\n", __builtin_add_overflow(2147483647, 1, &ov));
  printf("%d\n", ov);
  printf("%d\n", (int)__builtin_offsetof(struct pp, in.s));
  printf("%d\n", __builtin_expect(x > 2, 1));
  printf("%d\n", __builtin_strlen("abc") == 3);
  printf("%g\n", __builtin_huge_val() > 1 ? 1.0 : 0.);
#ifndef __clang__
  _Float128 q = 1.25f128;
  __float128 q2 = q * 2;
  printf("%g %d\n", (double)q2, (int)sizeof q);
  _Float64 f64 = 1.5f64;
  _Float32 f32 = 2.5f32;
  _Float32x fx = 1;
  printf("%g %g %d\n", (double)f64, (double)f32, (int)sizeof fx);
#endif
  float h = 0x1.8p3f;
  printf("%g %g %Lg\n", h, 0x.8p1, 1e-5L);
  printf("%g\n", 1.f + 1e-9);
  long double ld = 0.1L;
  printf("%.20Lg %.20g\n", ld, (double)ld);
  printf("%d %d\n", (int)1e9, (char)300);
  int arr[0];
  struct { int n; int z[0]; } zz = {1};
  printf("%d %d\n", (int)sizeof arr, (int)sizeof zz);
  void *vp2 = arr;
  vp2++;
  vp2 += 3;
  printf("%ld %d %d\n", (char *)vp2 - (char *)arr, (int)sizeof(void), (int)sizeof(main));
  __extension__ int ex = 1;
  printf("%d\n", __extension__ (ex + 1));
  return 0;
}
