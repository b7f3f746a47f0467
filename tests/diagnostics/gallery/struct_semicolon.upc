// A missing semicolon behind a structure
struct point {
    double x, y;
} //~ E0100 @2

double length(struct point p)
{
    return p.x * p.x + p.y * p.y;
}
