// sley: reach=true race=true deadlock=false memory=true overflow=true
// The barrier counts main, which does not come.
// why: `phase` was initialised for 3 threads .* only 2 wait at it
#include <pthread.h>

enum { WORKERS = 2 };
static pthread_barrier_t phase;
static int parts[WORKERS], sum;

static void *work(void *argument)
{
    long me = (long)argument;
    parts[me] = (int)me + 1;
    pthread_barrier_wait(&phase);  // decisive
    if (me == 0)
        sum = parts[0] + parts[1];
    return NULL;
}

int main(void)
{
    pthread_t threads[WORKERS];
    pthread_barrier_init(&phase, NULL, WORKERS + 1);  // decisive
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&phase);
    return sum != 3;
}
