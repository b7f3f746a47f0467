// Raw strings, which clang does not have in C, and what only gcc folds.

extern int printf(const char *, ...);

static const char *const raw[] = {R"(a\n"b")", R"--(one )" two)--", "plain " R"(\x)" "\x41"};
static const char lines[] = R"(two
lines)";
static const int wide[] = LR"(w\)";

static int names(int x) {
    switch (x) {
    case __builtin_abs(-40): return 1;
    case __builtin_add_overflow_p(1, 127, (signed char)0) + 80: return 2;
    case __builtin_mul_overflow_p(1 << 30, 4, 0L) + 90: return 3;
    case __builtin_sub_overflow_p(0u, 1, 0u) + 100: return 4;
    default: return 0;
    }
}

int main(void) {
    for (int i = 0; i < 3; i++)
        printf("%s|", raw[i]);
    printf("%s|%d %d %d\n", lines, (int)sizeof lines, wide[1], (int)(sizeof wide / sizeof *wide));
    printf("%d %d %d %d\n", names(40), names(81), names(90), names(101));
    return 0;
}
