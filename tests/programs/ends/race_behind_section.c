// sley: reach=true race=false deadlock=true memory=true overflow=true
// Both threads pass the section that aborts if they come in another order, and race behind it.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int turn, data;

void *even(void *unused)
{
    __VERIFIER_atomic_begin();
    if (turn != 0)
        abort();
    turn = 1;
    __VERIFIER_atomic_end();
    data = 1;
    return 0;
}

void *odd(void *unused)
{
    __VERIFIER_atomic_begin();
    if (turn != 1)
        abort();
    turn = 2;
    __VERIFIER_atomic_end();
    data = 2;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, even, 0);
    pthread_create(&two, 0, odd, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
