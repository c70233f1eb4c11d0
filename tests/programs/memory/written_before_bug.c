// sley: reach=false race=true deadlock=true memory=false overflow=true
// Others see what a thread has written before its invalid dereference ends the run.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int *nothing = NULL;
atomic_int written;

void *worker(void *unused)
{
    written = 1;
    *nothing = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    assert(written == 0);
    return 0;
}
