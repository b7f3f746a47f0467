int g(int, int);
int f(int a)
{
    return g(a 2); //~ E0100 @16 expected `,` or `)` before `2`
}
