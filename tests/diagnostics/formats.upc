// C11 7.21.6: formats and their arguments, in the user's types
#include <inttypes.h>
#include <stdio.h>
#include <upc.h>

shared double sum[THREADS];
shared int a[THREADS];
enum colour { RED };
struct point { int x; };
typedef unsigned long count_t;
void say(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));
int ask(const char *format, ...) __attribute__((format(scanf, 1, 2)));

void right(int i, struct point p, char *s, enum colour c)
{
    printf("%d of %d\n", MYTHREAD, THREADS);
    printf("%g %d %zu %zu\n", sum[0], a[i], upc_threadof(&a[i]), sizeof a[i]);
    printf("%d %s %d%%\n", p.x, s, c);
    say(1, "%s: %d", s, i);
    ask("%d", &i);
    printf(s, i);
}

void wrong(int i, struct point p, char *s, count_t n)
{
    printf("%d of %lu\n", MYTHREAD, THREADS); //~ W0325 @19 `%lu` takes `unsigned long`, but argument 3 of `printf` is `int`
    printf("%d\n", sum[0]); //~ W0325 @13 `%d` takes `int`, but argument 2 of `printf` is `double`
    printf("on %d\n", upc_threadof(&a[i])); //~ W0325 @16 is `size_t` (aka `unsigned long`)
    printf("%d\n", n); //~ W0325 @13 is `count_t` (aka `unsigned long`)
    printf("%d\n", p); //~ W0325 @13 is `struct point`
    printf("%s: %d\n", i); //~ W0325 @13 //~ W0325 @17 `%d` has no argument
    printf("%s\n", s, i); //~ W0326 @23 the format of `printf` has no conversion for argument 3
    printf("100%\n"); //~ W0325 @16 this `%` is not followed by a conversion
    printf("%y\n", i); //~ W0325 @13 `%y` is not a conversion of printf
    printf("%.*f\n", n, 1.0); //~ W0325 @13 the precision `*` of `%.*f` takes `int`, but its argument is `count_t`
    printf("%" PRId64 "\n", i); //~ W0325 @13
    say(1, "%p", &a[i]); //~ W0325 @13 is `shared int *`
    printf("%p", &a[i]); //~ W0621 @18
    ask("%f", &sum); //~ W0325 @10 is `shared double (*)[THREADS]`
    ask("%d", i); //~ W0325 @10 `%d` takes `int *`, but argument 2 of `ask` is `int`
}
