/* Declarations that gcc takes: GNU C11 in its corners. Read by tests/sema_decl.rs. */
typedef unsigned char u8; typedef struct S S; struct S { S *next; u8 b : 3, : 0, c : 5; struct { int in1; union { int u1; float u2; }; }; int flex[]; };
int implicit_user(void) { later_void(1); return undeclared_fn(2) + later_int(3); }
void later_void(int x) { (void)x; }
int later_int(int x) { return x; }
static S one = { .in1 = 3, .u2 = 1.5f, .flex = { 1, 2, 3 } };
int arr[][3] = { 1, 2, 3, 4, [3] = { 7, [2] = 9 }, 1 };
_Static_assert(sizeof arr == 15 * sizeof(int), "arr");
struct T { struct { int a[2], b; } s[2]; char str[4]; } tt[] = { { { { 1, 2, 3 }, 4, 5, 6 }, "abc" }, 1, 2, 3, 4, 5, 6, 'a', 'b', 'c', 0, [4].s[1].b = 3, "x" };
_Static_assert(sizeof tt / sizeof *tt == 5, "tt");
char const msg[] = ("paren"), w[] = { "brace" }; int wc[] = { L"wide" [0] }; __typeof__(L'a') wide[] = L"wide";
_Static_assert(sizeof wide == 20 && sizeof msg == 6, "");
union U { int i; double d; } un = { 3 }, um = { .d = 1 }, *pu = &(union U){ .d = 2 };
int range[10] = { [0 ... 4] = 1, 2, [8 ... 9] = 3 };
enum neg { M = -1, BIG = 0xffffffffu }; _Static_assert(sizeof(enum neg) == 8, "");
enum __attribute__((packed)) tiny { TA, TB }; _Static_assert(sizeof(enum tiny) == 1, "");
int (*fp(int a, int (*cb)(int, ...)))(void);
int (*fp(int a, int (*cb)(int, ...)))(void) { return 0; }
extern int e1[]; int e1[4]; extern int e1[]; _Static_assert(sizeof e1 == 16, "");
void f(int n, int m, double a[restrict static n][m + 1], int b[*]);
void f(int n, int m, double a[n][m + 1], int b[n]) { typedef int V[n]; V v; __auto_type x = a[0][0]; __typeof__(x) y = x; int z[sizeof v]; (void)z; (void)y; struct { int k; } loc = { 1 }, *lp = &loc; static int cnt; extern int e1[]; e1[0] = lp->k + cnt; goto L; L:; for (int i = 0, *p = &i; i < 3; i++) { int i = *p; (void)i; } }
old(a, b, c) char *a; float c; { return a ? b : c; }
int inl(void); inline int inl(void) { return 1; } extern inline int inl(void);
typedef int __attribute__((mode(DI))) di; _Static_assert(sizeof(di) == 8, ""); typedef int qi __attribute__((__mode__(__QI__))); _Static_assert(sizeof(qi) == 1, "");
typedef int al __attribute__((aligned(32))); struct AL { char c; al a; }; _Static_assert(sizeof(struct AL) == 64, "");
_Alignas(64) char buf[3]; _Complex double cd; _Complex cc; long long unsigned int long_u; unsigned __int128 ui; signed s1; char signed s2; long double ld; 
typedef int IA[3]; const IA cia = { 1, 2, 3 }; int takes(const IA x, IA y) { return x[0] + sizeof x + y[1]; }
struct fwd; struct fwd *pf; struct fwd { int x; }; int getx(void) { return pf->x; }
int shadow; int usefn(int shadow) { { struct fwd { char c; } q = { 'a' }; return q.c + shadow; } }
__attribute__((noreturn)) void die(void); static __inline__ __attribute__((always_inline)) int ai(void) { return 0; }
extern __inline __attribute__((__gnu_inline__)) int gi(void) { return 1; } int gi(void) { return 2; }
int dup_tent; int dup_tent; int dup_tent = 3; static int sf(void); int use_sf(void) { return sf(); } static int sf(void) { return 1; }
struct { int x; } anon_arr[2] = { [1] = { 3 } }; void v0(), v1(void), (*v2)(void) = v1; _Noreturn void nr(void);
struct Emp {} emp; _Static_assert(sizeof(struct Emp) == 0, ""); int zero[0]; struct bf { unsigned a : 3; unsigned long b : 40; _Bool c : 1; };
_Static_assert(_Alignof(struct bf) == 8 && sizeof(struct bf) == 8, ""); _Atomic int at; _Atomic(int) at2; int _Atomic *pat;
__extension__ typedef struct { long long q; } ext_t; typedef void fnty(int); fnty ft; void ft(int x) { } fnty *pft = ft; struct hasfn { fnty *f; } hf = { ft }; int *const volatile restrictless = 0;
__thread int tls; static _Thread_local int tls2 = 3; register int regvar asm("r12"); extern int lbl asm("lbl2"); int after asm("aft") __attribute__((section("x"))) = 3;
int main(void) { switch (1) { case M ... 3:; int q = 3; default: return q; } }
