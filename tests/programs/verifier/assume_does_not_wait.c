// sley: reach=true race=true deadlock=true memory=true overflow=true
// An assumption outside an atomic section does not wait: runs in which it comes too early are gone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

atomic_int ready;

void *worker(void *unused)
{
    ready = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    __VERIFIER_assume(ready);
    assert(ready == 1);
    return 0;
}
