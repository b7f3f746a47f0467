#include "worker.h"

int main(void)
{
    return work();
}
