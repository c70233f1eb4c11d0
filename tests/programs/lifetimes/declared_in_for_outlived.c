// sley: reach=true race=true deadlock=true memory=false overflow=true
// What the head of a `for` declares ends with the loop, and is another when the loop begins again.
int main(void)
{
    int *last = 0;
    int sum = 0;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 2; i++) {
            if (round == 1 && i == 0)
                sum = *last;
            last = &i;
        }
    return sum;
}
