// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=false
// A variable of a loop's body has no value from the round before.
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0)
            x = 1;
        if (x)
            sum = i;
    }
    return sum;
}
