// sley: reach=true race=true deadlock=true memory=true overflow=true
// A thread function with a short name, and a counter that only grows.
#include <assert.h>
#include <pthread.h>

_Atomic unsigned counter;

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void *n(void *unused)
{
    unsigned first = counter, second = counter;
    assert(first <= second);
    return 0;
}

void *grow(void *unused)
{
    __VERIFIER_atomic_begin();
    if (counter < 100)
        counter++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t id;
    for (int i = 0; i < 2; i++) {
        pthread_create(&id, 0, n, 0);
        pthread_create(&id, 0, grow, 0);
    }
    return 0;
}
