// The same case twice
int days(int month)
{
    switch (month) {
    case 2: return 28;
    case 4: case 6: case 9: case 11: return 30;
    case 9: return 31; //~ E0403 @5
    default: return 31;
    }
}
