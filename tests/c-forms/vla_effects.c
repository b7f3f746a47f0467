/* Lengths of variable length arrays are computed once, where their declaration stands, outer bounds of parameters too. */
#include <stdio.h>
#include <stddef.h>
int g;
int next(void) { return ++g; }
int use(int n, int a[n++][3]) { return n * 100 + (int)sizeof a[0]; }
int use2(int n, int a[n++]) { return n; }
int use3(int n, int a[next()], int b[next()][3]) { return n; }
int use4(int n, int (*a)[n++]) { return n * 100 + sizeof *a; }
int kr(n, a) int n, a[n++][n]; { return n * 100 + (int)sizeof a[0]; }
int take(int n, int (*q)[n]) { return (int)sizeof *q; }
int main(void) {
  int n = 3;
  { int a[next()][n++]; printf("%d %d %zu\n", g, n, sizeof a); }
  { typedef int T[n++]; T t, u; printf("%d %zu %zu %zu\n", n, sizeof(T), sizeof t, sizeof u); 
    n = 2; T w; printf("%d %zu %zu\n", n, sizeof w, sizeof(T)); const T *pt = &w; printf("%zu\n", sizeof *pt); }
  { int (*p)[n++] = 0, (*q)[n++] = 0; printf("%d %zu %zu\n", n, sizeof *p, sizeof *q); }
  printf("%zu %d\n", sizeof(int[n++]), n);
  printf("%zu\n", sizeof(int[n++]));
  printf("%d\n", n);
  { __typeof__(int[n++]) a, b; printf("%d %zu %zu\n", n, sizeof a, sizeof b); n = 4; __typeof__(a) c; printf("%zu\n", sizeof c); }
  { __typeof__((n++, g)) a = 3; printf("%d %d\n", n, a); }
  { int a[n]; __typeof__(a[n++]) b = 2; printf("%d %d\n", n, b); }
  printf("%d %d\n", use(3, 0), use2(5, 0)); g = 0; printf("%d", use3(1, 0, 0)); printf(" %d\n", g); printf("%d %d\n", use4(5, 0), kr(3, 0));
  for (int c[n++], i = 0; i < 2; i++) printf("%d %zu\n", n, sizeof c);
  { n = 3; int a[n][n + 1]; int (*p)[n + 1] = a; n = 50; printf("%td %zu\n", (char *)(p + 1) - (char *)p, sizeof *p);
    int (*q)[4] = p; printf("%d\n", take(4, n > 3 ? p : a)); }
  { n = 3; void *v = 0; char *r = (char *)((int (*)[n++])v + 2); printf("%td %d\n", r - (char *)0, n); }
  { n = 3; int a[n++ + 1], b[n++], *c = &n, d[(*c)++]; printf("%zu %zu %zu %d\n", sizeof a, sizeof b, sizeof d, n); }
  { n = 2; struct S { int a[n++]; char c; }; struct S s, t; printf("%zu %zu %d\n", sizeof s, sizeof t, n); }
  { n = 2; int (*f)(int (*)[n++]) = 0; printf("%d\n", n); extern int ext(int (*)[n++]); printf("%d\n", n); int (*fp)[n++][n++]; printf("%d %zu\n", n, sizeof *fp); }
  { n = 3; int i = 0; do { int z[n++]; i += sizeof z; } while (n < 8); printf("%d\n", i); }
  { n = 3; int y[n], *py = y; int (*pp)[n] = &y; n = 9; y[2] = 77; printf("%d %zu\n", (*pp)[2], sizeof(*pp) / sizeof(**pp)); 
    __auto_type pq = pp; printf("%zu\n", sizeof *pq); __typeof__(pp) pz = pp; printf("%zu\n", sizeof *pz); int k = ({ __typeof__(y) zz; n++; (int)sizeof zz; }); printf("%d\n", k); }
  { n = 3; int a[n], b[n]; int (*pa)[n] = &a, (*pb)[n] = &b; n = 1; int (*z)[n] = (g ? pa : pb); printf("%zu %zu %zu\n", sizeof *z, sizeof *(g ? pa : pb), sizeof *(n, pa)); }
  printf("%zu %zu\n", _Alignof(int[n]), sizeof(char[n][next()]));
  { n = 2; int r[3][n], (*pr)[n] = r; r[2][1] = 5; n = 50; struct { __typeof__(pr) q; int k; } s = { pr + 1, 6 }; printf("%d %d\n", s.q[1][1], s.k); }
  return 0;
}
