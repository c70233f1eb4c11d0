// sley: reach=true race=true deadlock=true memory=true overflow=true
// A lock made of an atomic section: it is entered only when its assumption holds.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int is_locked, counter;

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(is_locked == 0);
    is_locked = 1;
    __VERIFIER_atomic_end();
    counter++;
    __VERIFIER_atomic_begin();
    is_locked = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
