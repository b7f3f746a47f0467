int f(int n)
{
    while (n > 0) {
        n--;
    }
    return n;

int g(void)
{
    return f(2);
}
//~ E0104 @1 expected `}` before the end of the file
