int f(int n)
{
    n--;
    }
    return n; //~ E0100 @5 expected a declaration before `return`
}
int g(void)
{
    return f(2);
}
