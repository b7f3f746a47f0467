int f(void)
{
    int a = 3;;
    a = “x”; //~ E0300 @9 `“x”` is not declared
    return a;
}
