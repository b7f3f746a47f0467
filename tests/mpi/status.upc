// question: is the status of the job the largest of the threads'?
// threads: 3
// status: 4
#include <upc.h>

int main(void)
{
    return 2 * MYTHREAD;
}
