// sley: reach=false race=true deadlock=true memory=true overflow=true division=false
// A division by zero ends the run on one path of a section; on the other it does not.
#include <assert.h>
#include <pthread.h>

int divisor, quotient;

void __VERIFIER_atomic_set(void)
{
    divisor = 2;
}

void __VERIFIER_atomic_divide(void)
{
    quotient = 8 / divisor;
}

void *setter(void *unused)
{
    __VERIFIER_atomic_set();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, setter, 0);
    __VERIFIER_atomic_divide();
    assert(quotient != 4);
    return 0;
}
