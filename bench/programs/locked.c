// Threads count under one lock: THREADS, ROUNDS.
#include <assert.h>
#include <pthread.h>

int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        count = count + 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], 0, worker, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    assert(count == THREADS * ROUNDS);
    return 0;
}
