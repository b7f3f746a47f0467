int f(int x)
{
    if (x)
        x = 1;
    esle //~ E0100 @5 `esle` is not a keyword and is not declared
        x = 2;
    return x;
}
