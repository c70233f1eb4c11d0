// Threads count with one atomic step each: THREADS.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int count;

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    count = count + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], 0, worker, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    assert(count == THREADS);
    return 0;
}
