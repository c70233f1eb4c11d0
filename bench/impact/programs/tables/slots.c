// expect: safe
// Three threads count in a table, each in the slot that it was given; which one is decided at the start.
#include <assert.h>
#include <pthread.h>

#define THREADS 3

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int hits[THREADS];
unsigned slot[THREADS];

#define WORKER(me)                        \
    void *worker_##me(void *unused)       \
    {                                     \
        hits[slot[me]] = 0;               \
        hits[slot[me]]++;                 \
        hits[slot[me]]++;                 \
        assert(hits[slot[me]] == 2);      \
        return 0;                         \
    }

WORKER(0)
WORKER(1)
WORKER(2)

int main(void)
{
    pthread_t thread[THREADS];
    unsigned first = __VERIFIER_nondet_uint();
    __VERIFIER_assume(first < THREADS);
    slot[0] = first;
    slot[1] = (first + 1) % THREADS;
    slot[2] = (first + 2) % THREADS;
    pthread_create(&thread[0], 0, worker_0, 0);
    pthread_create(&thread[1], 0, worker_1, 0);
    pthread_create(&thread[2], 0, worker_2, 0);
    pthread_join(thread[0], 0);
    pthread_join(thread[1], 0);
    pthread_join(thread[2], 0);
    return 0;
}
