/* What gcc, and no other, takes for integer constant expressions: casts of floating arithmetic and of floating builtins. */
#include <stdio.h>
char by_abs[(int)__builtin_fabs(-3.0)], by_sum[(int)(2.5 + 1.0)], by_root[__builtin_sqrtf(16.0f) == 4.0f ? 5 : 1];
char by_power[(long)__builtin_pow(2, 3)], by_floor[(int)__builtin_floorl(6.9L)], by_round[(int)__builtin_round(2.5)];
enum { QUOTIENT = (int)(7.0 / 2), ROUNDED = (int)(0.1f * 10 + 0.5), UNSIGNED = (unsigned char)255.9 };
struct widths { int a : (int)2.5; unsigned b : (int)__builtin_trunc(4.9); };
static int floating(int x) {
  switch (x) {
  case (int)__builtin_ceil(8.1):
    return 1;
  case (int)__builtin_fmax(1, __builtin_copysign(2.9, 1)):
    return 2;
  case (int)__builtin_fmod(11, 4):
    return 3;
  default:
    return 0;
  }
}
int main(void) {
  printf("%zu %zu %zu %zu %zu %zu\n", sizeof by_abs, sizeof by_sum, sizeof by_root, sizeof by_power, sizeof by_floor, sizeof by_round);
  printf("%d %d %d\n", QUOTIENT, ROUNDED, UNSIGNED);
  printf("%d %d %d %d\n", floating(9), floating(2), floating(3), floating(4));
  printf("%d %u\n", ((struct widths){ 1, 15 }).a, ((struct widths){ 1, 15 }).b);
  return 0;
}
