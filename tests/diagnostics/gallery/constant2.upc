// An assignment to a const object
int f(void)
{
    const int limit = 10;
    limit = 20; //~ E0304 @5
    return limit;
}
