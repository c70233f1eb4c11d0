// sley: reach=true race=true deadlock=true memory=false overflow=true
// A call through a pointer that has not been set.
int (*handler)(int);

static int identity(int n)
{
    return n;
}

int main(void)
{
    int (*other)(int) = identity;
    if (handler != other)
        return handler(1);
    return 0;
}
