/* -std=c90 */
/* Words that are keywords in GNU C, and only there or in later standards. */

extern int printf(const char *, ...);

static int asm = 1, typeof = 2;
static struct { int inline, restrict; } s = {3, 4};

static int inline_sum(int inline, int restrict)
{
    int later(int *__restrict p);
    __typeof__(typeof) sum = inline + restrict;
    __asm__("");
    return later(&sum) + asm;
}

static __inline__ int doubled(int x) { return 2 * x; }

static __inline int tripled(int x) { return 3 * x; }

int later(int *__restrict p) { return *p; }

int main(void)
{
    int inline;
    for (inline = 0; inline < 3; inline++)
        asm += inline * typeof;
    printf("%d %d %d %d\n", asm, s.inline, s.restrict, inline_sum(5, doubled(tripled(1))));
    return 6 //* a quotient in C90 */ 2
        - 3;
}
