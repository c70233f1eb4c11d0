// sley: reach=true race=false deadlock=true memory=true overflow=true
// An atomic section does not protect against accesses outside of any.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int shared;

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    shared = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
