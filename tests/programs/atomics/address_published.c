// sley: reach=true race=true deadlock=true memory=true overflow=true
// The addresses of a global and of a local are taken only to store them atomically; a thread follows them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int global = 1;
static _Atomic(int *) first, second;

static void *reader(void *unused)
{
    int *p = atomic_load(&first), *q = atomic_load(&second);
    assert(p == 0 || *p == 1);
    assert(q == 0 || *q == 2);
    return 0;
}

int main(void)
{
    int local = 2;
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    atomic_store(&first, &global);
    atomic_store(&second, &local);
    pthread_join(thread, 0);
    int *expected = &local;
    assert(atomic_compare_exchange_strong(&second, &expected, 0) && expected == &local);
    assert(atomic_exchange(&first, 0) == &global);
    return 0;
}
