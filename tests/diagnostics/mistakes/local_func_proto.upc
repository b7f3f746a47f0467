int f(int a, b) //~ E0219 @14 unknown type name `b`
{
    return a + b;
}
