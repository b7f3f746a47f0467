// A parameter without a type
int add(int a, b) //~ E0219 @16
{
    return a + b;
}
