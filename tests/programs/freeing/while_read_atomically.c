// sley: reach=true race=false deadlock=true memory=false overflow=true
// Free is no atomic operation: it races with an atomic read of the block, too.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void *reader(void *block)
{
    int seen = atomic_load((atomic_int *)block);
    return seen ? block : 0;
}

int main(void)
{
    pthread_t thread;
    atomic_int *block = malloc(sizeof *block);
    atomic_init(block, 0);
    pthread_create(&thread, 0, reader, block);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
