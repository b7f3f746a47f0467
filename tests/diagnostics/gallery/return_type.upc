// A function without a type
main() //~ W0218 @1
{
    return 0;
}
