// Threads try once to count by compare-and-exchange; whoever fails counts that: THREADS.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int count, failures;

void *worker(void *unused)
{
    int seen, is_done;
    __VERIFIER_atomic_begin();
    seen = count;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    is_done = count == seen;
    if (is_done)
        count = seen + 1;
    __VERIFIER_atomic_end();
    if (!is_done) {
        __VERIFIER_atomic_begin();
        failures = failures + 1;
        __VERIFIER_atomic_end();
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
    assert(count + failures == THREADS);
    return 0;
}
