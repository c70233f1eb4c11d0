// sley: reach=true race=true deadlock=true memory=false overflow=true
// A jump back out of a block ends the variable; it lives again when the block is entered, but is another.
int main(void)
{
    int round = 0, sum = 0;
    int *former = 0;
again:
    round++;
    if (round < 4) {
        int number = round;
        if (round == 3)
            sum = *former;
        former = &number;
        goto again;
    }
    return sum;
}
