// sley: unmodelled=true
// An alias that the loader chooses: which function is called is decided by code that nobody called.
static int fast(int x)
{
    return x + 1;
}

static int (*choose(void))(int)
{
    return fast;
}

int next(int x) __attribute__((ifunc("choose")));

int main(void)
{
    return next(1) != 2;
}
