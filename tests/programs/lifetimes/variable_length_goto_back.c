// sley: reach=true race=true deadlock=true memory=false overflow=true
// An array of variable length ends when a jump leads back before its declaration, also in the same block.
int main(void)
{
    int round = 0, sum = 0;
    int *former = 0;
again:
    round++;
    int numbers[round];
    numbers[0] = round;
    if (former)
        sum = former[0];
    former = numbers;
    if (round < 2)
        goto again;
    return sum;
}
