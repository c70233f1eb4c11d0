// sley: reach=false race=false deadlock=true memory=true overflow=true
// Threads get the address of the loop variable as their number.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 2 };

static int started[THREADS];

static void *work(void *arg)
{
    int me = *(int *)arg;
    if (me < THREADS)
        started[me] = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &i);
    for (int j = 0; j < THREADS; j++)
        pthread_join(threads[j], NULL);
    assert(started[0]);
    return 0;
}
