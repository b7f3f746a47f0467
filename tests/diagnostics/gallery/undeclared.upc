// A function without its header
int main(void)
{
    double root = sqrt(2.0); //~ W0301 @19
    return root > 1;
}
