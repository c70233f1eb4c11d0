// sley: reach=true race=true deadlock=true memory=true overflow=true
// The owner frees only after the reader has said that it is done.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int is_done;

void *reader(void *block)
{
    int value = *(int *)block;
    atomic_store(&is_done, 1);
    return value == 5 ? &is_done : 0;
}

int main(void)
{
    pthread_t thread;
    int *block = calloc(1, sizeof *block);
    pthread_create(&thread, 0, reader, block);
    if (atomic_load(&is_done)) {
        free(block);
        block = 0;
    }
    pthread_join(thread, 0);
    free(block);
    return 0;
}
