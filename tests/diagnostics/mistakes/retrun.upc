int f(int x)
{
    if (x) retrun 2; //~ E0100 @12 `retrun` is not a keyword and is not declared
    retrun x; //~ E0100 @5 `retrun` is not a keyword and is not declared
}
