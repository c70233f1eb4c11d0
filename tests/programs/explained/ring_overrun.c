// sley: reach=false race=true deadlock=true memory=true overflow=true
// A producer goes round a ring without waiting for free places.
// why: `ring\[0\]` = 2 is what producer wrote .* It replaces 1, which producer wrote in step \d+ and no thread has read
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ring[1], in, out;

static void *producer(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&lock);
        ring[in++ % 1] = i;  // decisive
        pthread_mutex_unlock(&lock);
        sem_post(&filled);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    sem_init(&filled, 0, 0);
    pthread_create(&thread, NULL, producer, NULL);
    sem_wait(&filled);
    pthread_mutex_lock(&lock);
    int value = ring[out++ % 1];  // decisive
    pthread_mutex_unlock(&lock);
    assert(value == 1);
    pthread_join(thread, NULL);
    return 0;
}
