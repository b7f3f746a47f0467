// An instrumented unit that calls into one that is not, and one that is not calls into an instrumented one.
#include <upc.h>

extern void instrumented(int n);
extern void uninstrumented(int n);

int main(void)
{
    instrumented(1);
    uninstrumented(1);
    return 0;
}
