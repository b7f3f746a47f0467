int f(int a)
{
    if (a > 1 { //~ E0100 @15 expected `)` before `{`
        return 2;
    }
    return 3;
}
