// sley: reach=false race=true deadlock=true memory=true overflow=true
// A loop in an atomic section that aborts in a late round, unless the other thread was faster.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int limit = 1;

void __VERIFIER_atomic_raise(void)
{
    limit = 3;
}

int __VERIFIER_atomic_count(void)
{
    int rounds = 0;
    for (int i = 0; i < 3; i++) {
        if (i >= limit)
            abort();
        rounds++;
    }
    return rounds;
}

void *raiser(void *unused)
{
    __VERIFIER_atomic_raise();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, raiser, 0);
    int rounds = __VERIFIER_atomic_count();
    assert(rounds != 3);
    pthread_join(thread, 0);
    return 0;
}
