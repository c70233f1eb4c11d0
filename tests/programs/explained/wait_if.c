// sley: reach=false race=true deadlock=true memory=true overflow=true
// A bounded buffer whose consumers wait with `if` instead of `while`.
// why: consumer waits because it read `count` = 0 .* \(a spurious wake-up\), and goes on without looking again
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2 };
static int buffer[SIZE], count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void *producer(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        buffer[count++] = i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consumer(void *unused)
{
    pthread_mutex_lock(&lock);
    if (count == 0)
        pthread_cond_wait(&not_empty, &lock);  // decisive
    assert(count > 0);
    count--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_create(&threads[2], NULL, consumer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
