// Two threads add to each other's number; the largest sum is a Fibonacci number: ROUNDS, LIMIT.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int i = 1, j = 1;

void *first(void *unused)
{
    for (int k = 0; k < ROUNDS; k++) {
        __VERIFIER_atomic_begin();
        i = i + j;
        __VERIFIER_atomic_end();
    }
    return 0;
}

void *second(void *unused)
{
    for (int k = 0; k < ROUNDS; k++) {
        __VERIFIER_atomic_begin();
        j = j + i;
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    __VERIFIER_atomic_begin();
    assert(i < LIMIT && j < LIMIT);
    __VERIFIER_atomic_end();
    return 0;
}
