/* GNU: functions inside functions, which the C compiler makes; in clang there are none. */
#include <stdio.h>
static int apply(int (*f)(int), int n) {
  return f(n);
}
static int inner(int x) {
  return -x;
}
static int outer(int a) {
  __label__ out;
  int s = inner(1);
  auto int later(int);
  int inner(int x) {
    int k = 0;
    for (;;) {
      if (x > 100)
        goto out;
      if (k++ > x)
        break;
    }
    s += x;
    return s + a + k;
  }
  int r = inner(3) + apply(inner, 4) + later(2);
  int later(int z) {
    struct pair { int x, y; } p = { z, a };
    int deeper(void) {
      return p.x * p.y;
    }
    return deeper();
  }
  while (1) {
    switch (inner(1)) {
    default:
      inner(200);
    }
  }
  return -1;
out:
  return r + s;
}
static int old(a, b) int a, b; {
  int sum() {
    return a + b;
  }
  return sum();
}
static int lists(int n) {
  int pair(a, b) char a; short b; {
    return a * b + n;
  }
  struct point { int x, y; } point = { 1, 2 };
  int of(p, q) struct point *p; struct point { char c; } *q; {
    return p->y + q->c;
  }
  inline __attribute__((always_inline)) double half(int z) {
    return z / 2.0;
  }
  char one = 1;
  return pair(259, 70000) + of(&point, (void *)&one) + (int)half(9);
}
int main(void) {
  printf("%d\n", lists(1000));
  printf("%d %d %d\n", outer(5), old(3, 4), inner(2));
  return 0;
}
