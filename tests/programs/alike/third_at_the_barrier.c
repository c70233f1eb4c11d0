// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A barrier for two, and three threads that are alike: the third waits for ever.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_barrier_t pair;

void *worker(void *unused)
{
    x++;
    pthread_barrier_wait(&pair);
    x++;
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    pthread_barrier_init(&pair, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
