// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=true
// What C does not evaluate is not read.
int chosen(int c)
{
    int x;
    int y = c ? x : 0;
    if (c && x)
        y = 2;
    int z = c || (x = 3);
    return y + z + (int)sizeof x;
}

int main(void)
{
    unsigned char narrow;
    narrow = 3;
    narrow += 2;
    switch (narrow) {
        int w;
    case 5:
        w = 1;
        narrow = w;
    }
    return chosen(0) - narrow;
}
