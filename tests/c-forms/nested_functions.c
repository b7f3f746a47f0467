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
int main(void) {
  printf("%d %d %d\n", outer(5), old(3, 4), inner(2));
  return 0;
}
