// A misspelt variable
double average(const double *values, int count)
{
    double total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return totl / count; //~ E0300 @12
}
