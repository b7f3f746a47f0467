// A pointer where a structure is wanted
struct point { double x, y; };
double length(struct point p);

double far(struct point *p)
{
    return length(p); //~ E0311 @19
}
