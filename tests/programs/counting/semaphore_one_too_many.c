// sley: reach=false race=true deadlock=true memory=true overflow=true
// A semaphore that lets in one too many.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int free_places = 3, inside;

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(free_places >= 0);
    free_places = free_places - 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    inside = inside + 1;
    assert(inside <= 3);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    inside = inside - 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    free_places = free_places + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
