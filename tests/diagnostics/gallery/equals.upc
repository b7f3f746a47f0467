// `=>` for `>=`
int sign(int x)
{
    if (x => 0) //~ E0100 @11
        return 1;
    return -1;
}
