/* -funsigned-char -fshort-enums -fshort-wchar -fpack-struct=2 : what flags change in types and layouts. */
#include <stdio.h>
#include <stddef.h>
#define KIND(x) _Generic((x), char: "char", unsigned char: "uchar", signed char: "schar", short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", default: "other")
enum byte { A, B };
enum two { C = 300 };
enum sign { D = -1, E = 127 };
enum four { F = 1 << 20 };
struct mixed { char c; int i; double d; enum byte e; long l; };
#pragma pack(1)
struct tight { char c; long l; };
#pragma pack()
struct back { char c; long l; };
#pragma pack(push, 4)
struct four_bytes { char c; long l; };
#pragma pack(pop)
struct bits { char c : 3; int x : 30; enum byte e : 2; char d; };
char size[sizeof(struct mixed)], tight[sizeof(struct tight)], back[sizeof(struct back)], four[sizeof(struct four_bytes)], bits[sizeof(struct bits)];
char negative[(char)-1 < 0 ? 3 : 7], literal['\377' < 0 ? 3 : 7], several['\377\377' < 0 ? 3 : 7];
int wide[sizeof(L"ab")], sizes[sizeof(enum byte) + 10 * sizeof(enum two) + 100 * sizeof(enum sign) + 1000 * sizeof(enum four)];
char c = 200;
enum byte eb = A;
int main(void) {
  printf("%zu %zu %zu %zu %zu\n", sizeof size, sizeof tight, sizeof back, sizeof four, sizeof bits);
  printf("%zu %zu %zu %zu %zu\n", sizeof negative, sizeof literal, sizeof several, sizeof wide, sizeof sizes);
  printf("%d %d %d %d %d\n", c > 0, c + 1, (char)~0, c >> 1, -c / 3);
  printf("%s %s %s %s %s\n", KIND(c), KIND(+c), KIND(L'a'), KIND(L"a"[0]), KIND("a"[0]));
  printf("%d %d\n", (int)sizeof(wchar_t), eb - 1 < 0);
  printf("%zu %zu %zu\n", offsetof(struct mixed, i), offsetof(struct mixed, d), offsetof(struct mixed, l));
  switch (c) {
  case '\310':
    puts("case");
  }
  return 0;
}
