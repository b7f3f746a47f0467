// UPC 6.4.2 p2: relational operators do not take pointers-to-shared to incomplete types.

struct open;
shared struct open *o;
shared void *g;
shared int *s;
shared int (*rows)[];

int f(void)
{
    return (g < g) + //~ E0604 @13 relational operator on a `shared void *`, which points to an incomplete type
           (o > o) + //~ E0604 @13
           (s <= g) + //~ E0604 @18
           (rows >= rows) + //~ E0604 @13
           (g == g) + (o != o) + (s < s) + (g == s);
}
