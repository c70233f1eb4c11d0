// sley: reach=false race=true deadlock=true memory=true overflow=true
// Others see what a thread has written before its assumption fails and the run ends.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

atomic_int written;

void *worker(void *unused)
{
    written = 1;
    __VERIFIER_assume(0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    assert(written == 0);
    return 0;
}
