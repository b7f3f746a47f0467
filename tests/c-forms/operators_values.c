/* Values, types and promotions of operators and constants. */
#include <stdio.h>
#include <limits.h>
#include <stdint.h>
#define P(e) printf("%s = %lld (size %d)\n", #e, (long long)(e), (int)sizeof(e))
signed char sc = -3;
unsigned char uc = 250;
short s = -300;
unsigned short us = 65000;
int i = -7;
unsigned u = 4000000000u;
long l = -5L;
unsigned long ul = ~0UL;
long long ll = -9;
float f = 1.5f;
double d = -2.25;
long double ld = 3.75L;
_Bool b = 1;
char c = 'x';
enum E { A, B = 5, C, D = -1 } e = B;
enum big { BIG = 0x100000000LL };
int arr[10] = {1,2,3,4,5,6,7,8,9,10};
int *pa = arr + 3;
static int side;
static int se(int x) {
  side = side * 3 + x;
  return x;
}
int main(void) {
  P(sc+uc);
  P(i/2);
  P(i%3);
  P(u>>3);
  P(i>>1);
  P(sc<<2);
  P(ul+i);
  P(u+i);
  P(l+u);
  P(-u);
  P(~us);
  P(!d);
  P(-sc);
  P(+uc);
  P(i<u);
  P(l<u);
  P(sc==-3);
  P(uc==250);
  P(us>s);
  P((unsigned)i>5);
  P(b+b);
  P(c+1);
  P(i&us|s^uc);
  P(i&&u||!b);
  P(i?s:us);
  P(i?u:l);
  P(0?i:ul);
  P((sc,us));
  P(sizeof(i?s:us));
  P(sizeof(sc));
  P(sizeof(+sc));
  P(sizeof(char));
  P('a');
  P(sizeof 'a');
  P(sizeof L'a');
  P(u'b');
  P(U'c');
  P('\377');
  P('ab');
  P('\x80');
  P(L'\x1234');
  P(INT_MIN);
  P(INT_MAX);
  P(LONG_MIN);
  P(LLONG_MAX);
  P(ULONG_MAX);
  P(UINT_MAX);
  P(0x80000000);
  P(0xffffffff);
  P(2147483648);
  P(0x7fffffffffffffff);
  P(0xffffffffffffffff);
  P(0777);
  P(0b1011);
  return 0;
}
