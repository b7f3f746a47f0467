int f(void)
{
    for (int i = 0, i < 3, i++) //~ E0100 @19 the parts in the parentheses of `for` are separated by `;`
        ;
    return 1;
}
