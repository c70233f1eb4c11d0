// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each thread writes and frees a block of its own, while the other one does the same.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *block)
{
    *(int *)block = 1;
    free(block);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    pthread_create(&thread, 0, worker, first);
    worker(second);
    pthread_join(thread, 0);
    return 0;
}
