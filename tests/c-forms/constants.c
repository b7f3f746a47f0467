// What folds where C wants a constant, and words that are not there.

extern int printf(const char *, ...);

enum { LOW = __builtin_ctz(1u << 9), ONES = __builtin_popcountll(~0ull) };
_Static_assert(__builtin_strlen("ab\0c" "d") == 2, "up to the first zero");
_Static_assert(__builtin_strlen("\1012") == 2, "an octal escape has three digits at most");
static char bytes[__builtin_strlen("four")];
static int table[] = {[__builtin_ffs(8)] = 1, [__builtin_clz(1u << 25)] = 2};
struct bits { unsigned field : __builtin_popcount(31); };

static int names(unsigned x) {
    switch (x) {
    case __builtin_bswap32(1): return 1;
    case __builtin_bswap16(0x100) + 2: return 2;
    case __builtin_parity(7) + 10: return 3;
    case __builtin_ctzl(1ul << 40): return 4;
    case __builtin_clrsb(-1): return 5;
    case __builtin_expect(70, 1): return 6;
    case __builtin_clzll(1): return 7;
    default: return 0;
    }
}

static const char *where = __func__;

static int implicit(void) { return sizeof(const) + sizeof(volatile *); }

int main(void) {
    const unsigned values[] = {1 << 24, 3, 11, 40, 31, 70, 63};
    for (int i = 0; i < 7; i++)
        printf("%d ", names(values[i]));
    printf("%d %d %d %d %d\n", LOW, ONES, (int)sizeof bytes, (int)(sizeof table / sizeof *table), table[4]);
    printf("%u\n", ((struct bits){31}).field);
    printf("[%s] %d\n", where, implicit());
    return 0;
}
