// sley: reach=true race=true deadlock=true memory=true overflow=true
// `abort` cuts the run: what comes after it is not reached.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int state = 1;

void *worker(void *unused)
{
    if (state != 2)
        abort();
    assert(state == 2);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    state = 2;
    pthread_join(thread, 0);
    return 0;
}
