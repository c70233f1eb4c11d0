// sley: reach=false race=true deadlock=true memory=true overflow=true
// As rc11_seqlock.c without the fence of the reader: it may read one half late.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, first, second;

static void *writer(void *argument)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&first, 1, memory_order_relaxed);
    atomic_store_explicit(&second, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return 0;
}

static void *reader(void *argument)
{
    int before = atomic_load_explicit(&sequence, memory_order_acquire);
    int one = atomic_load_explicit(&first, memory_order_relaxed);
    int other = atomic_load_explicit(&second, memory_order_relaxed);
    int after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(one == other);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
