// UPC 6.7.1 p4: `#pragma upc` stands outside external declarations, or before everything else in a block.

#pragma upc relaxed
shared int x;
struct s {
#pragma upc strict //~ W0801 @1 inside a declaration
    int member;
};
int f(
#pragma upc strict //~ W0801 @1
    int n)
#pragma upc strict //~ W0801 @1
{
#pragma upc relaxed
    int m = n;
    if (n) {
#pragma upc strict
        x = 1;
#pragma upc relaxed //~ W0801 @1 follows a declaration or statement
        x = 2;
    }
    x = m;
#pragma upc strict //~ W0801 @1
    return x;
}
#pragma upc strict
