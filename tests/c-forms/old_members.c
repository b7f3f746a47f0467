/* The last member of a record may lack its `;`. */
#include <stdio.h>
struct pair { int a, b };
union { int i; struct { char c : 3, d } in; float f } u = { 5 };
struct nested { struct pair p; union { int x; long y } v, *w; int (*f)(struct { int k } *) };
int main(void) {
  struct nested n = { { 1, 2 }, { 3 } };
  printf("%d %d %d %zu %zu\n", u.i, n.p.b, n.v.x, sizeof u, sizeof n);
  return 0;
}
