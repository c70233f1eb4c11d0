// sley: reach=true race=true deadlock=true memory=true overflow=true
// A failed assumption ends the run: nothing after it happens, and no thread is deadlocked by it.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int never;

void *worker(void *unused)
{
    __VERIFIER_assume(never == 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(0);
    return 0;
}
