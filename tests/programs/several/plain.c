/* A C file has no UPC in it and is compiled as any other. */
int counter_in_c;

int in_c(int n)
{
    counter_in_c++;
    return 2 * n + 1;
}
