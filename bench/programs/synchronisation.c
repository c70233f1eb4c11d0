// Four ways to keep accesses apart, by turns: a lock, a flag that is set (by one) and looked at (by the next),
// an atomic counter, and reading only after joining. The unsafe one forgets the lock once: THREADS, UNSAFE.
#include <pthread.h>
#include <stdatomic.h>

#ifndef RELEASE
#define RELEASE memory_order_seq_cst
#define ACQUIRE memory_order_seq_cst
#define RELAXED memory_order_seq_cst
#endif

int total, data[THREADS + 1], result[THREADS];
atomic_int is_ready[THREADS + 1], finished;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *count(void *argument)
{
    int self = (int)(long)argument;
    if (!(UNSAFE && self == (THREADS - 1) / 4 * 4))
        pthread_mutex_lock(&lock);
    total = total + 1;
    if (!(UNSAFE && self == (THREADS - 1) / 4 * 4))
        pthread_mutex_unlock(&lock);
    atomic_fetch_add_explicit(&finished, 1, RELAXED);
    return 0;
}

void *publish(void *argument)
{
    int self = (int)(long)argument;
    data[self] = self + 1;
    atomic_store_explicit(&is_ready[self], 1, RELEASE);
    atomic_fetch_add_explicit(&finished, 1, RELAXED);
    return 0;
}

void *look(void *argument)
{
    int self = (int)(long)argument;
    if (atomic_load_explicit(&is_ready[self - 1], ACQUIRE))
        result[self] = data[self - 1];
    atomic_fetch_add_explicit(&finished, 1, RELAXED);
    return 0;
}

void *alone(void *argument)
{
    int self = (int)(long)argument;
    result[self] = self;
    pthread_mutex_lock(&lock);
    total = total + result[self];
    pthread_mutex_unlock(&lock);
    atomic_fetch_add_explicit(&finished, 1, RELAXED);
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    int sum = 0;
    for (long i = 0; i < THREADS; i++) {
        if (i % 4 == 0)
            pthread_create(&thread[i], 0, count, (void *)i);
        else if (i % 4 == 1)
            pthread_create(&thread[i], 0, publish, (void *)i);
        else if (i % 4 == 2)
            pthread_create(&thread[i], 0, look, (void *)i);
        else
            pthread_create(&thread[i], 0, alone, (void *)i);
    }
    if (atomic_load_explicit(&finished, RELAXED) == THREADS && atomic_load_explicit(&is_ready[1], ACQUIRE))
        sum = data[1];
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    for (int i = 0; i < THREADS; i++)
        sum = sum + result[i];
    return (sum + total) * 0;
}
