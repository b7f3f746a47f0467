int f(int x)
{
    switch (x) {
    case 1; //~ E0100 @11 expected `:` before `;`
        return 2;
    default:
        return 3;
    }
}
