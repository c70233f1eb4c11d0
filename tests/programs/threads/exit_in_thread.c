// sley: reach=true race=true deadlock=true memory=true overflow=true
// `exit` in a thread ends the process: main never gets past the join.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused)
{
    exit(0);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(0);
    return 0;
}
