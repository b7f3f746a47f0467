int f(int x)
{
    whlie (x) { //~ E0100 @5 `whlie` is no keyword and not declared
        x--;
    }
    return x;
}
