// sley: reach=false race=true deadlock=true memory=true overflow=true
// Others see what a thread has written before it ends the process.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int written;

void *worker(void *unused)
{
    written = 1;
    abort();
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    assert(written == 0);
    return 0;
}
