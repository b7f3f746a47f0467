// question: does a jump to a setjmp end the statements and regions, whose accesses are left out, that have begun since?
// threads: 2 3
// race: 31 31
// race: 34 34
// race: 42 42
// race: 53 53
// race: 60 60
#include "races.h"
#include <setjmp.h>
#include <upc_race.h>

static shared int ignored, a, b, c, d, e;
static jmp_buf back;
static sigjmp_buf further;
static void statement(void)
{
#pragma upcc race_ok
    longjmp(back, ignored = 1);
}
static void region(void)
{
    upc_race_ignore_begin();
    upc_race_ignore_begin();
    siglongjmp(further, ignored = 2);
}

int main(void)
{
    if (setjmp(back) == 0)
        statement();
    a = MYTHREAD;
    if (sigsetjmp(further, 0) == 0)
        region();
    b = MYTHREAD;
    // In one function.
    if (setjmp(back) == 0)
#pragma upcc race_ok
    {
        ignored = 3;
        longjmp(back, 1);
    }
    c = MYTHREAD;
    // A region around the place is still there.
    upc_race_ignore_begin();
    if (setjmp(back) == 0)
        statement();
    ignored = MYTHREAD;
    if (sigsetjmp(further, 1) == 0)
        region();
    ignored = MYTHREAD;
    upc_race_ignore_end();
    // And is over.
    d = MYTHREAD;
#pragma upcc race_ok
    {
        if (setjmp(back) == 0)
            statement();
        ignored = MYTHREAD;
    }
    e = MYTHREAD;
    return pass();
}
