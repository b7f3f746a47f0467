// A dot for an arrow
struct particle { double mass; };

double weight(struct particle *p)
{
    return p.mass * 9.81; //~ E0312 @13
}
