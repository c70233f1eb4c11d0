// sley: reach=true race=true deadlock=true memory=false overflow=true
// A function returns the address of its variable, and the next call finds it in a global pointer.
static int *former;

static int *call(int number, int *sum)
{
    int own = number;
    int *address = &own;
    if (former)
        *sum += *former;
    return address;
}

int main(void)
{
    int sum = 0;
    for (int round = 0; round < 2; round++)
        former = call(round, &sum);
    return sum;
}
