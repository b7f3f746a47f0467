/* Plain C, which the C compiler compiles. */
#ifdef __UPC__
#error "compiled as UPC"
#endif
int scale(int value)
{
    int class = 2;
    return class * value;
}
