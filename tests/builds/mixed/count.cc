#include <vector>

#include "worker.h"

int count(int thread)
{
    std::vector<int> numbers;
    for (int i = 0; i <= thread; i++)
        numbers.push_back(i);
    return static_cast<int>(numbers.size());
}
