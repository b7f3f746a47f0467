#include <iostream>

#include "worker.h"

int main()
{
    int status = work();
    std::cout << "C++: " << status << std::endl;
    return status;
}
