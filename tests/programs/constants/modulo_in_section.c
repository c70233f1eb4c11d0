// sley: reach=false race=true deadlock=true memory=true overflow=true division=false
// A rest by zero in one branch of a section ends the run there; the other branch fails.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int ready, rest;

void *setter(void *unused)
{
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, setter, 0);
    __VERIFIER_atomic_begin();
    if (!ready)
        rest = 7 % 0;
    __VERIFIER_atomic_end();
    assert(!ready);
    return 0;
}
