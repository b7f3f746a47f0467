// A variable declared twice
int f(int n)
{
    int i = n;
    double i = 2 * n; //~ E0201 @12
    return i;
}
