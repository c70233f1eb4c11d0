// sley: reach=true race=true deadlock=true memory=false overflow=true
// A pointer to a local variable outlives its block.
int *pointer;

static void set(void)
{
    int local = 1;
    pointer = &local;
}

int main(void)
{
    set();
    return *pointer;
}
