// sley: reach=true race=true deadlock=true memory=false overflow=true
// The free place in a buffer is looked for without the mutex that protects it.
// why: Element 2 of `buffer` is accessed, which has 2 elements .* producer #1 reads `used` = 1
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 2 };
static int buffer[SIZE];
static atomic_int used = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int value)
{
    if (used == SIZE)  // decisive
        return;
    pthread_mutex_lock(&lock);
    int place = used++;
    buffer[place] = value;  // decisive
    pthread_mutex_unlock(&lock);
}

static void *producer(void *value)
{
    put((int)(long)value);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, producer, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
