// sley: reach=true race=true deadlock=false memory=true overflow=true
// The consumer takes the mutex before it waits for an item, so that no item can come.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t items;
static int stack[4], count;

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        stack[count++] = i;
        pthread_mutex_unlock(&lock);
        sem_post(&items);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        sem_wait(&items);
        count--;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    if (sem_init(&items, 0, 0) != 0)
        return 1;
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    sem_destroy(&items);
    return 0;
}
