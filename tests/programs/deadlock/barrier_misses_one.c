// sley: reach=true race=true deadlock=false memory=true overflow=true
// A barrier for three at which only two arrive.
#include <pthread.h>

pthread_barrier_t barrier;

void *worker(void *unused)
{
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&thread, 0, worker, 0);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, 0);
    return 0;
}
