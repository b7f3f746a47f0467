// question: functions of C's library that are called without a declaration have their own types, known to the C compiler or not; functions of the program by the same names have its own; a header may follow
// flags: -w -lm
// counts: UPC_ALLOC=THREADS, UPC_MEMPUT=THREADS, C_MALLOC=THREADS, UPC_BARRIER=THREADS, UPC_PUT=5*THREADS, UPC_GET=11*THREADS, UPC_GET.remote=0
#include <upc.h>

shared double d[THREADS];
shared [] char *shared text[THREADS];

int same(double a, double b) { return a == b; }

main()
{
    char *end, *copy = malloc(100), *found;
    int wrong = 0;
    double x = atof("2.5");
    shared double *mine = &d[MYTHREAD];
    *mine = strtod("3.5!", &end);
    wrong += !same(x, 2.5) + !same(*mine, 3.5) + (*end != '!');
    *mine += atof("1.25") * hypot(3, 4);
    wrong += !same(*mine, 9.75);
    strcpy(copy, "a,b");
    found = strtok(copy, ",");
    wrong += found != copy || strtok(0, ",") != copy + 2 || strlen(copy) != 1;
    found = getenv("PATH");
    wrong += found && strchr(found, '/') == 0;
    wrong += atoll("123456789012") != 123456789012LL || strtoul("ffffffffff", 0, 16) >> 36 != 15;
    text[MYTHREAD] = upc_alloc(strlen("shared") + 1);
    upc_memput(text[MYTHREAD], strdup("shared"), strlen("shared") + 1);
    wrong += text[MYTHREAD][5] != 'd';
    wrong += random(3, 4) != 7 || time(40, 2) != 42 || clock(1) != 2;
    wrong += *index("a/b/c", '/') != '/' || strlen(rindex("a/b/c", '/')) != 2;
    *mine = cabs(3.0 + 4.0i * upc_threadof(&d[0])) + creal(csqrt(-4.0 + *mine * 0)) + cimagf(conjf(2.0if));
    wrong += !same(*mine, 3.0 - 2.0);
    {
        char year[8];
        long start = 0;
        text[MYTHREAD][0] = strftime(year, 8, "%Y", gmtime(&start));
        wrong += text[MYTHREAD][0] != 4 || strcmp(year, "1970");
    }
    if (wrong)
        upc_global_exit(1);
    return finish();
}

random(a, b) { return a + b; }
int time(int a, int b) { return a + b; }
int clock(a) { return a + 1; }

#include <string.h>
#include "check.h"

int finish(void) { return pass(); }
