// sley: reach=true race=true deadlock=true memory=true overflow=true
// The older __sync builtins of gcc.
#include <assert.h>
#include <pthread.h>

int counter, busy, data;

void *worker(void *unused)
{
    while (__sync_lock_test_and_set(&busy, 1))
        ;
    data++;
    __sync_lock_release(&busy);
    __sync_fetch_and_add(&counter, 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(data == 2);
    assert(__sync_add_and_fetch(&counter, 3) == 5);
    assert(__sync_sub_and_fetch(&counter, 1) == 4);
    assert(__sync_bool_compare_and_swap(&counter, 4, 6));
    assert(!__sync_bool_compare_and_swap(&counter, 4, 7));
    assert(__sync_val_compare_and_swap(&counter, 6, 8) == 6);
    assert(__sync_fetch_and_or(&counter, 1) == 8);
    __sync_synchronize();
    assert(counter == 9);
    return 0;
}
