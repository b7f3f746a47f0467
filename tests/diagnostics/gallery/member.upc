// A misspelt member
struct particle { double mass, position[3], velocity[3]; };

double energy(struct particle *p)
{
    return p->mass * p->velocty[0] * p->velocity[0]; //~ E0312 @25
}
