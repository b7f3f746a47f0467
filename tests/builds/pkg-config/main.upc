#include <upc.h>

int spin(void);

int main(void)
{
    return spin() != MYTHREAD;
}
