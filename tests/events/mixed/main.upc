// An instrumented unit that calls into one that is not, and one that is not calls into an instrumented one.
#include <upc.h>

extern void told(int n);
extern void untold(int n);

int main(void)
{
    told(1);
    untold(1);
    return 0;
}
