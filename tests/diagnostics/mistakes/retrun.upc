int f(int x)
{
    if (x) retrun 2; //~ E0100 @12 `retrun` is no keyword and not declared
    retrun x; //~ E0100 @5 `retrun` is no keyword and not declared
}
