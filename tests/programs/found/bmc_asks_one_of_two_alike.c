// sley: reach=false race=true deadlock=true memory=true overflow=true
// Of two threads that do the same, main asks which has ended: the second may have been the first to count.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int count, is_first_done, is_second_done;

void *worker(void *unused)
{
    if (atomic_fetch_add(&count, 1) == 0)
        is_first_done = 1;
    else
        is_second_done = 1;
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    _Bool is_one_running = pthread_tryjoin_np(one, 0), is_other_running = pthread_tryjoin_np(other, 0);
    if (is_one_running && !is_other_running && is_first_done)
        assert(is_second_done);
    return 0;
}
