// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A detached thread needs no join; an atomic counter tells when it is done.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;
int result;

void *worker(void *unused)
{
    result = 7;
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_detach(thread);
    while (!done)
        ;
    assert(result == 7);
    return 0;
}
