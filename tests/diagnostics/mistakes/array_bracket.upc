int f(int *a)
{
    a[1 = 2; //~ E0100 @12 expected `]` before `;`
    return a[2];
}
