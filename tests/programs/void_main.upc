// question: does a program whose main gives nothing, as old ones have it, end with status 0, whatever the last function that it called gave?
// stdout: left
// counts: UPC_BARRIER=THREADS, C_FUNC=2*THREADS
#include "check.h"

void main()
{
    if (pass())
        return;
    puts("left");
}
