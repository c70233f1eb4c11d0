// expect: safe
// A ring of four cells: one thread fills cells from the head on, the other empties those behind the tail.
#include <assert.h>
#include <pthread.h>

#define CELLS 4

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int ring[CELLS];
unsigned head, tail;

void *producer(void *unused)
{
    ring[head] = 1;
    head = (head + 1) % CELLS;
    ring[head] = 2;
    head = (head + 1) % CELLS;
    return 0;
}

void *consumer(void *unused)
{
    int taken = ring[tail];
    assert(taken == 5);
    ring[tail] = 0;
    tail = (tail + 1) % CELLS;
    taken = ring[tail];
    assert(taken == 6);
    ring[tail] = 0;
    tail = (tail + 1) % CELLS;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    tail = __VERIFIER_nondet_uint();
    __VERIFIER_assume(tail < CELLS);
    head = (tail + 2) % CELLS;
    ring[tail] = 5;
    ring[(tail + 1) % CELLS] = 6;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
