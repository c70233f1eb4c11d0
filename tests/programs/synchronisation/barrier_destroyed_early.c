// sley: reach=true race=true memory=true overflow=true misuse=false
// The first of two rounds at the barrier is over, but a thread may already wait in the second one.
#include <pthread.h>

pthread_barrier_t gate;

void *worker(void *unused)
{
    pthread_barrier_wait(&gate);
    pthread_barrier_wait(&gate);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_barrier_init(&gate, 0, 2);
    pthread_create(&one, 0, worker, 0);
    pthread_barrier_wait(&gate);
    pthread_barrier_destroy(&gate);
    pthread_join(one, 0);
    return 0;
}
