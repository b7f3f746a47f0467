int plain(int x);

int main(void)
{
    return plain(1) != 2;
}
