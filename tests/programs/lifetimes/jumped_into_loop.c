// sley: reach=true race=true deadlock=true memory=false overflow=true
// A loop is entered by a jump into its body: each later round finds the address of the round before.
int main(void)
{
    int rounds = 0, sum = 0;
    int *former;
    goto inside;
    while (rounds < 3) {
        int number = rounds;
        sum += *former;
inside:
        former = &number;
        rounds++;
    }
    return sum;
}
