// Threads insert messages into a hash table, each slot taken by compare-and-exchange, the next one if it is
// taken. No message that belongs elsewhere gets into the slot GIVEN: THREADS, MESSAGES, STRIDE, GIVEN.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif
#define SLOTS 128
_Atomic int table[SLOTS];

void *insert(void *argument)
{
    int self = (int)(long)argument;
    for (int m = 1; m <= MESSAGES; m++) {
        int message = m * STRIDE + self, hash = (message * 7) % SLOTS, free = 0;
        while (!atomic_compare_exchange_strong_explicit(&table[hash], &free, message, ORDER, ORDER)) {
            assert(hash != GIVEN || (free * 7) % SLOTS == GIVEN);
            hash = (hash + 1) % SLOTS;
            free = 0;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread[i], 0, insert, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    return 0;
}
