// sley: reach=true race=true deadlock=true memory=false overflow=true
// An array of pointers, one for each round: the first is left over when the last round reads through it.
int main(void)
{
    int *rounds[3] = {0, 0, 0};
    int sum = 0;
    for (unsigned long i = 0; i < 3; i++) {
        int number = (int)i;
        rounds[i] = &number;
        if (i == 2)
            sum = *rounds[0];
    }
    return sum;
}
