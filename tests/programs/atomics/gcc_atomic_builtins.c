// sley: reach=true race=true deadlock=true memory=true overflow=true
// The __atomic builtins of gcc work on plain objects and synchronise.
#include <assert.h>
#include <pthread.h>

int counter, owner, data;

void *worker(void *unused)
{
    int nobody = 0;
    while (!__atomic_compare_exchange_n(&owner, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        nobody = 0;
    data++;
    __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
    __atomic_add_fetch(&counter, 2, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(data == 2);
    assert(__atomic_load_n(&counter, __ATOMIC_SEQ_CST) == 4);
    assert(__atomic_exchange_n(&counter, 7, __ATOMIC_SEQ_CST) == 4);
    assert(__atomic_fetch_sub(&counter, 1, __ATOMIC_SEQ_CST) == 7);
    assert(__atomic_or_fetch(&counter, 9, __ATOMIC_SEQ_CST) == 15);
    int value;
    __atomic_load(&counter, &value, __ATOMIC_SEQ_CST);
    assert(value == 15);
    return 0;
}
