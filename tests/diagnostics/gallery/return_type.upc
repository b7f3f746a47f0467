main() //~ W0218 @1
{
    return 0;
}
