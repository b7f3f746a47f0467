// An initialiser for an array of variable length
int *numbers(void)
{
    static int n = 3;
    int a[n] = { 1, 2, 3 }; //~ E0221 @16
    int *p = 5;
    return p;
}
