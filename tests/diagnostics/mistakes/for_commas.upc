int f(void)
{
    for (int i = 0, i < 3, i++) //~ E0100 @23 expected `;` before `<`
        ;
    return 1;
}
