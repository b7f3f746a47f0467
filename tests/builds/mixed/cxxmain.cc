#include <bupc_extern.h>
#include <iostream>

#include "worker.h"

int main(int argc, char **argv)
{
    bupc_init(&argc, &argv);
    int status = work();
    std::cout << "C++: " << status << " of " << bupc_extern_threads() << std::endl;
    bupc_exit(status);
}
