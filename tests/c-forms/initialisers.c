/* Initialisers: nested, designated, elided, ranges, strings, constants of addresses. */
#include <stdio.h>
#include <string.h>
#include <stddef.h>
#include <wchar.h>
struct p { int x, y; };
struct r { struct p a, b; int n[3]; char s[8]; };
struct q { int k; struct { int u, v; }; union { int i; float f; char c[4]; } w; struct p arr[3]; };
struct r r1 = {1,2,3,4,5,6,7,"abc"};
struct r r2 = {{1},{.y=2},{[2]=9},{'h','i'}};
struct r r3 = {.b.y=5, .n[1]=3, .n[2]=4, .s="xyz", .a={7,8}};
struct r ra[] = {1,2,3,4,5,6,7,"q", {.a.x=1}, [3] = {.b={9}}, [2].n[1] = 5};
struct q q1 = {1,2,3,{4},5,6,7,8,9,10};
struct q q2 = {.v=3, .w.f=1.5f, .arr[1].y=2, 3};
struct q q3 = {.w={.c="abc"}, .arr={[0 ... 1]={1,2}}};
int m[3][4] = {1,2,3,4,5,[2]={1,[3]=2}};
int m2[][2] = {{1},{2,3},4,5};
int rg[10] = {[0 ... 3] = 1, [5 ... 9] = 2, [7] = 3};
int over[5] = {[1]=1,2,3,[1]=9};
char s1[] = "hello", s2[3] = "abc", s3[10] = {"brace"}, s4[] = "a" "b\0c" "\x41" "1", s5[2][4] = {"abc", "de"};
char *sp[] = {"one","two",[5]="six"};
wchar_t ws[] = L"wide" L"more";
unsigned short us[] = u"u16";
unsigned u32[] = U"u32\u00e9";
char u8[] = u8"é";
unsigned char uc[] = "\xff\200";
signed char sch[] = {-1, 200};
int *ip = &m[1][2], *ip2 = m[2] + 1;
int (*row)[4] = m + 1;
char *cp = "str" + 1;
size_t off = offsetof(struct q, arr[2].y);
int (*fp)(const char *, ...) = printf;
void *vp = &r1.b;
struct p *pp = &((struct p){3,4});
int *cl = (int[]){
  1,2,3
};
long addr = sizeof(struct q) * 2;
union u { int a; long b; char c[12]; };
union u u1 = {5}, u2 = {.b = 1L<<40}, u3 = {.c = "hey"};
float fl[] = {1, 2.5, 'a', 1e3f};
double db = 1/2, db2 = 1/2.0;
_Bool bb[] = {0, 5, 0.1, &r1 != 0};
char neg = -1;
unsigned char wrap = 300 - 44 + 1;
struct flex { int n; char d[]; } fx = {3, {'a','b','c'}};
struct flex fx2 = {2, "z"};
struct { int a; int :4; int b:4; } unnamed_bits;
enum { E1, E2 = E1 + 5, E3 = sizeof(int) } en = E2;
static const struct p cps[] = {[E1] = {1}, [1] = {E2, E3}};
struct empty {} em;
struct p zero = {};
int zeros[4] = {};
struct p fnp(void) {
  return (struct p){
    .y = 3
  };
}
static void dump(const char *n, const void *p, size_t z) {
  const unsigned char *c = p;
  printf("%s:", n);
  for (size_t i = 0; i < z; i++) printf("%02x", c[i]);
  printf("\n");
}
#define D(...) dump(#__VA_ARGS__, &__VA_ARGS__, sizeof __VA_ARGS__)
int main(void) {
  D(r1);
  D(r2);
  D(r3);
  D(ra);
  D(q1);
  D(q2);
  D(q3);
  D(m);
  D(m2);
  D(rg);
  D(over);
  D(s1);
  D(s2);
  D(s3);
  D(s4);
  D(s5);
  D(ws);
  D(us);
  D(u32);
  D(u8);
  D(uc);
  D(sch);
  D(off);
  D(addr);
  D(u1);
  D(u3);
  printf("%ld\n", u2.b);
  D(fl);
  D(db);
  D(db2);
  D(bb);
  D(neg);
  D(wrap);
  D(en);
  D(cps);
  D(zero);
  D(zeros);
  printf("%d %d %d %s %d %d %d %d %d %s\n", *ip, *ip2, (*row)[0], cp, pp->y, cl[2], ((struct p*)vp)->x, (int)sizeof ra, (int)sizeof sp, sp[5]);
  fp("%d %s\n", fx.n, fx2.d);
  struct r l = {1, .b = {2}, .s = "loc"};
  D(l);
  struct p a = {5,6}, b2[2] = {a, fnp()};
  D(b2);
  struct r n2 = {a, .b = a, {a.x, a.y}};
  D(n2);
  struct q lq = {.arr = {a, [2] = a}};
  D(lq);
  struct p arr2[] = {a, 1, 2, a, {3}};
  D(arr2);
  int i = 3;
  int dyn[] = {i, i++, i};
  printf("%d %d\n", (int)(sizeof dyn), i);
  char ls[] = "loc";
  D(ls);
  struct p x = i ? a : fnp();
  D(x);
  int z = {5};
  int *zp = {&z};
  D(z);
  printf("%d\n", *zp);
  static int st[] = {1,2,3};
  st[1]++;
  D(st);
  static char *names[] = {"a", [2] = "b"};
  printf("%s %d\n", names[2], names[1] == 0);
  struct p *lp = &(struct p){
    1, i
  };
  D(*lp);
  lp = (struct p[]){
    {
      1,2
    }, {3,4}
  };
  D(lp[1]);
  printf("%s\n", (char[]){"compound"});
  printf("%d\n", ((union u){.a = 4}).a);
  printf("%d\n", (int){3} + (int){i});
  const char *const tab[2][2] = {{"a","b"},{"c"}};
  printf("%s\n", tab[1][0]);
  typedef int T3[3];
  T3 t3 = {1, [2] = 3};
  D(t3);
  D((T3){4,5});
  int md[2][2][2] = {1,{2},{{3}}, [1] = {{4,5},6}};
  D(md);
  struct {int a; struct {int b; struct {int c; int d;};};} deep = {1,{2,{3}}}, deep2 = {.d = 4};
  D(deep);
  D(deep2);
  deep.c++;
  printf("%d\n", deep.c + deep2.d);
  return 0;
}
