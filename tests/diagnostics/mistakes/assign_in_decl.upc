int f(void)
{
    int a == 3; //~ E0100 @11 expected `;` before `==`
    return a;
}
