/* Attributes and alignment of members of nested records. */
#include <stdio.h>
#include <stddef.h>
struct a { char c; struct { char q; _Alignas(16) int x; } in; char d; };
struct b { char c; struct { char q; int x __attribute__((packed)); } in; char d; };
struct c {
  char c;
  struct __attribute__((packed)) { char q; long x; } __attribute__((aligned(2))) in __attribute__((aligned(8))), in2;
  union { char z; int w __attribute__((aligned(32))); };
  char d;
};
struct d {
  char c;
  const __attribute__((aligned(4))) struct { char q; } in, in2;
  _Alignas(8) struct { char s; } al;
  enum __attribute__((packed)) { P, Q } e;
  char d;
};
#pragma pack(push, 2)
struct e { char c; struct { char q; long x; } in;
struct { char q; int x; } in2; char d; };
#pragma pack(pop)
typedef struct { char a; int b; } __attribute__((packed, aligned(2))) f, *fp;
typedef int al8 __attribute__((aligned(8)));
struct g { char c; al8 x; f y; fp z; };
typedef struct { int w; } __attribute__((aligned(32))) h;
struct i { char c; h x; h *y[2]; };
#define O(t, ...) printf(#t " %d %d %d\n", (int)sizeof(struct t), (int)_Alignof(struct t), (int)offsetof(struct t, __VA_ARGS__))
struct aligned_members {
  _Alignas(8) char first;
  int second __attribute__((packed));
  _Alignas(16) char third;
};

static int member_alignments(struct aligned_members *p) {
  return __alignof__(p->first) * 10000 + __alignof__(p->second) * 100 + __alignof__(p->third);
}

int main(void) {
  printf("%d\n", member_alignments(0));
  O(a, d);
  O(b, d);
  O(b, in.x);
  O(c, d);
  O(c, in2);
  O(c, w);
  O(d, d);
  O(d, in2);
  O(d, al);
  O(d, e);
  O(e, d);
  O(e, in.x);
  O(e, in2.x);
  O(g, x);
  O(g, y);
  O(g, z);
  O(i, x);
  O(i, y);
  printf("%d\n", (int)sizeof(f));
  return 0;
}
