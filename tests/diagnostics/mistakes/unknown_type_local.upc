void f(void)
{
    matrix m; //~ E0219 @5 unknown type name `matrix`
    m.rows = 3;
    m.columns = 4;
}
