// sley: reach=true race=true deadlock=false memory=true overflow=true
// A cycle over a lock and a join is a deadlock while a third thread keeps running.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_bool light;

void *blinker(void *unused)
{
    while (1)
        light = !light;
    return 0;
}

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, blinker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_mutex_lock(&lock);
    pthread_join(second, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
