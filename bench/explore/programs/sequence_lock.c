// A sequence lock: each of the writers changes two numbers under a lock, and each of the readers tries until it has seen both unchanged.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int sequence;
atomic_int first, second;

void *writer(void *unused)
{
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&sequence, 1);
    atomic_fetch_add(&first, 1);
    atomic_fetch_add(&second, 1);
    atomic_fetch_add(&sequence, 1);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *reader(void *unused)
{
    int before, one, other;
    do {
        before = atomic_load(&sequence);
        one = atomic_load(&first);
        other = atomic_load(&second);
    } while (before % 2 || before != atomic_load(&sequence));
    assert(one == other);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, i % 2 ? reader : writer, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
