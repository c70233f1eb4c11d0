// Quick read-copy update: an updater puts new data in place of old data and waits until no reader can have the old
// any more before it throws that away; no reader uses what was thrown away. One updater, and READERS.
// After: P. E. McKenney, "Using Promela and Spin to verify parallel algorithms", LWN, 2007, on the algorithm of
// O. Nesterov.
// BUG: the updater looks for readers before it puts the new data in place.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
_Atomic _Bool is_second; // which counter new readers use
_Atomic unsigned count_first = 1, count_second; // the one in use is 1 too high
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of updaters that wait
_Atomic _Bool is_new; // which data readers get
_Atomic _Bool is_gone; // the old data

void *reader(void *unused)
{
    _Bool uses_second, has_new, is_counted = 0;
    while (!is_counted) { // a counter that is 0 is no longer in use
        uses_second = is_second;
        __VERIFIER_atomic_begin();
        if (uses_second) {
            if (count_second > 0) {
                count_second = count_second + 1;
                is_counted = 1;
            }
        } else {
            if (count_first > 0) {
                count_first = count_first + 1;
                is_counted = 1;
            }
        }
        __VERIFIER_atomic_end();
    }
    has_new = is_new;
    assert(has_new || !is_gone);
    if (uses_second)
        atomic_fetch_sub(&count_second, 1);
    else
        atomic_fetch_sub(&count_first, 1);
    return 0;
}

void *updater(void *unused)
{
    unsigned sum;
#ifndef BUG
    is_new = 1;
#endif
    sum = count_first;
    sum = sum + count_second;
    if (sum <= 1) { // again: the counters cannot be read in one step
        sum = count_first;
        sum = sum + count_second;
    }
#ifdef BUG
    is_new = 1;
#endif
    if (sum > 1) {
        pthread_mutex_lock(&lock);
        if (is_second) {
            atomic_fetch_add(&count_first, 1);
            is_second = 0;
            atomic_fetch_sub(&count_second, 1);
            while (count_second > 0)
                ;
        } else {
            atomic_fetch_add(&count_second, 1);
            is_second = 1;
            atomic_fetch_sub(&count_first, 1);
            while (count_first > 0)
                ;
        }
        pthread_mutex_unlock(&lock);
    }
    is_gone = 1;
    return 0;
}

int main(void)
{
    pthread_t thread[READERS + 1];
    for (int i = 0; i < READERS; i++)
        pthread_create(&thread[i], 0, reader, 0);
    pthread_create(&thread[READERS], 0, updater, 0);
    for (int i = 0; i <= READERS; i++)
        pthread_join(thread[i], 0);
    return 0;
}
