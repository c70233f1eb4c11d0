// sley: reach=true race=true deadlock=false memory=true overflow=true
// Two threads wait for a semaphore that is posted once.
#include <pthread.h>
#include <semaphore.h>

sem_t items;

void *consumer(void *unused)
{
    sem_wait(&items);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&items, 0, 0);
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, consumer, 0);
    sem_post(&items);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
