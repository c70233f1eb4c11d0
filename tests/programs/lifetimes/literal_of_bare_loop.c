// sley: reach=true race=true deadlock=true memory=false overflow=true
// The body of a loop is a block, also without braces: its compound literal is another in each round.
int main(void)
{
    int *numbers[2];
    int round = 0;
    while (round < 2)
        numbers[round++] = &(int){4};
    return *numbers[1];
}
