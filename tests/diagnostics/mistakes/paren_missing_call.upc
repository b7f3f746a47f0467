int g(int, int);
int f(int a)
{
    int b = g(a, 2; //~ E0100 @19 expected `)` before `;`
    return b;
}
