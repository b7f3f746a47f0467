// A semicolon in a macro
#define COUNT 10;

int first(int a[COUNT]) //~ E0100 @17
{
    return a[0];
}
