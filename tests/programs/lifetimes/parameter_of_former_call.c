// sley: reach=true race=true deadlock=true memory=false overflow=true
// A parameter is a variable of the call.
static int *first;

static int same(int number)
{
    if (!first)
        first = &number;
    return *first == number;
}

int main(void)
{
    int all = 1;
    for (int round = 0; round < 3; round++)
        all = all && same(5);
    return all;
}
