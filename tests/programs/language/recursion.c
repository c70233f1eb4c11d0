// sley: reach=true race=true deadlock=true memory=true overflow=true
// Recursion, simple and mutual, below the bound.
#include <assert.h>

static int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

static int is_odd(int n);

static int is_even(int n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(int n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

static int fibonacci(int n)
{
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    assert(factorial(5) == 120);
    assert(is_even(6) && !is_even(5));
    assert(fibonacci(5) == 5);
    return 0;
}
