// sley: reach=true race=true deadlock=true memory=false overflow=true
// The same, where both arrays have the same length.
static int run(int length)
{
    int round = 0, sum = 0;
    int *former = 0;
again:
    round++;
    int numbers[length];
    numbers[0] = round;
    if (former)
        sum = former[0];
    former = numbers;
    if (round < 2)
        goto again;
    return sum;
}

int main(int count, char **arguments)
{
    return run(2);
}
