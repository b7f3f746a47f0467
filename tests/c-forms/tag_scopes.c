/* Tags of prototypes, and of the expressions of statements that are blocks of their own. */
#include <stdio.h>
int first(struct s { int a; } *a), second(struct s { char b; } *b);
int third(struct s { int a[3]; struct s *next; } *a);
int fourth(enum e { A, B } a, int (*f)(struct s { long l; } x, enum e { C, D } y));
typedef int (*callback)(struct t { int z; } x, struct t y);
static int (*returns(struct t { int zz; } x))(struct t { long q; } y) {
  (void)x.zz;
  return 0;
}
static int blocks(int k) {
  if (sizeof(struct q { int a; }) == sizeof(int))
    k++;
  if (sizeof(struct q { char a; }) == 1)
    k++;
  else if (sizeof(struct q { char a[2]; }) == 2)
    k += 100;
  while (k < 3 && sizeof(struct q { char a; }) == 1)
    k++;
  do
    k++;
  while (sizeof(enum { A = 4, B }) == 4 && k < 20);
  for (int i = 0; i < (int)sizeof(struct q { char a[5]; }); i++)
    k++;
again:
  if (k < 40 && sizeof(struct q { char a[7]; }) == 7) {
    k += 3;
    goto again;
  }
  switch (sizeof(enum { A = 3, B })) {
  default:
    k += A + B;
  }
  switch (sizeof(enum { A = 4, B })) {
  case 4:
    k += A * B;
  }
  if (k)
    (void)sizeof(struct w { int a; });
  else
    (void)sizeof(struct w { int b; });
  return k;
}
int main(void) {
  printf("%d %d\n", blocks(0), returns == 0);
  return 0;
}
