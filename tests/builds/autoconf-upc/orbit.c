/* Plain C, which the C compiler compiles: `shared` is a name. */
int orbit(int shared)
{
    return 2 * shared;
}
