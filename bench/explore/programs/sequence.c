// A sequence lock: one writes ROUNDS times, THREADS - 1 others read until they have seen what was written at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

atomic_int sequence, left, right;

void *writer(void *unused)
{
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_fetch_add(&sequence, 1);
        atomic_store(&left, i);
        atomic_store(&right, i);
        atomic_fetch_add(&sequence, 1);
    }
    return 0;
}

void *reader(void *unused)
{
    int before, one, other;
    do {
        do
            before = atomic_load(&sequence);
        while (before & 1);
        one = atomic_load(&left);
        other = atomic_load(&right);
    } while (atomic_load(&sequence) != before);
    assert(one == other);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_create(&threads[0], 0, writer, 0);
    for (int i = 1; i < THREADS; i++)
        pthread_create(&threads[i], 0, reader, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
