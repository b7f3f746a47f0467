// A semicolon behind the condition
int sign(int x)
{
    if (x < 0);
        return -1;
    else //~ E0100 @5
        return 1;
}
