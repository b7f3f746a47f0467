// -std=gnu2x
// What gcc 12 and clang 14 have of C23.

extern int printf(const char *, ...);

static int number = 1'000'000 + 0b1010'1010 + 0xff'ff - 0'17;
static double real = 1'0.2'5e1;

static int unnamed(int, [[maybe_unused]] char *) { return 0x1'0; }

int main(void) {
    struct { int x, y; } empty = {};
    goto in;
in:
    printf("%d %g %d %d\n", number, real, unnamed(1, 0), empty.y);
    [[maybe_unused]] int after = 1;
    switch (after) {
    case 1: [[fallthrough]];
    default: printf("%d %c\n", 'a' + 1'0, 'b');
    }
    return 0;
}
