// Too many arguments
double area(double width, double height)
{
    return width * height;
}

double square(double side)
{
    return area(side, side, side); //~ E0310 @29
}
