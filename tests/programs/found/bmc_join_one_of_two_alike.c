// sley: reach=false race=true deadlock=true memory=true overflow=true
// Of two threads that do the same only one is joined: whether it was the first to count makes a difference.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int count, has_first_ended;

void *worker(void *unused)
{
    if (atomic_fetch_add(&count, 1) == 0)
        has_first_ended = 1;
    return 0;
}

int main(void)
{
    pthread_t one, other;
    _Bool is_one = __VERIFIER_nondet_bool();
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    if (is_one)
        pthread_join(one, 0);
    else
        pthread_join(other, 0);
    if (is_one)
        assert(has_first_ended);
    return 0;
}
