void scale(const double *values, int count, double factor)
{
    for (int i = 0; i < count; i++)
        values[i] *= factor; //~ E0304 @9
}
