// sley: reach=true race=true deadlock=true memory=true overflow=true
// CBMC's own word for a variable that each thread has for itself.
#include <assert.h>
#include <pthread.h>

#ifndef __CPROVER_thread_local
#define __CPROVER_thread_local __thread
#endif
__CPROVER_thread_local int own;

void *worker(void *unused)
{
    own = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(own == 0);
    return 0;
}
