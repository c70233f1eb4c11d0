// A lock for one writer or any number of readers: what is read does not change before the reader is done.
// After: P. J. Courtois, F. Heymans, D. L. Parnas, "Concurrent control with 'readers' and 'writers'", 1971, with
// atomic sections that wait in place of semaphores.
// BUG: the reader looks for a writer and comes in in two steps.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
_Bool is_written;
unsigned readers;
int data, copy;

void *thread_one(void *unused) // writes
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!is_written && readers == 0);
    is_written = 1;
    __VERIFIER_atomic_end();
    data = 3;
    __VERIFIER_atomic_begin();
    is_written = 0;
    __VERIFIER_atomic_end();
    return 0;
}

void *thread_two(void *unused) // reads
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!is_written);
#ifdef BUG
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
#endif
    readers = readers + 1;
    __VERIFIER_atomic_end();
    copy = data;
    assert(copy == data);
    __VERIFIER_atomic_begin();
    readers = readers - 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
