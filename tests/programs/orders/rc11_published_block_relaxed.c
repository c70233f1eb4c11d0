// sley: reach=true race=false deadlock=true memory=true overflow=true
// As rc11_published_block.c, but the load is relaxed: what is in the block need not be there yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *producer(void *argument)
{
    int *block = malloc(sizeof *block);
    *block = 5;
    atomic_store_explicit(&published, block, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block;
    pthread_create(&thread, 0, producer, 0);
    while (!(block = atomic_load_explicit(&published, memory_order_relaxed)))
        ;
    assert(*block == 5);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
