// sley: reach=true race=true deadlock=true memory=true overflow=true
// The generic functions on an atomic struct: load, store, exchange, compare and exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct range {
    int low, high;
};

static _Atomic(struct range) range;

static void *widen(void *none)
{
    struct range old = atomic_load(&range), wider;
    do {
        wider.low = old.low - 1;
        wider.high = old.high + 1;
    } while (!atomic_compare_exchange_strong(&range, &old, wider));
    return none;
}

int main(void)
{
    struct range zero = {0, 0};
    atomic_init(&range, zero);
    pthread_t thread;
    pthread_create(&thread, 0, widen, 0);
    widen(0);
    pthread_join(thread, 0);
    struct range end = atomic_exchange(&range, zero);
    assert(end.low == -2 && end.high == 2);
    atomic_store(&range, end);
    return 0;
}
