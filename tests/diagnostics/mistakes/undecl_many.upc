int f(void)
{
    count = 0; //~ E0300 @5 `count` is not declared
    for (count = 0; count < 10; count++)
        total += count; //~ E0300 @9 `total` is not declared
    return total;
}
