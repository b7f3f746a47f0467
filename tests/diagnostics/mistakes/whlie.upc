int f(int x)
{
    whlie (x) { //~ E0100 @5 `whlie` is not a keyword and is not declared
        x--;
    }
    return x;
}
