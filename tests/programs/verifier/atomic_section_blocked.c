// sley: reach=true race=true deadlock=false memory=true overflow=true
// An atomic section that can never complete blocks its thread for ever.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int is_open;

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(is_open);
    __VERIFIER_atomic_end();
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
