// sley: reach=true race=false deadlock=true overflow=true misuse=true
// Realloc reads the block that another thread writes.
#include <pthread.h>
#include <stdlib.h>

int *block;

void *worker(void *unused)
{
    block[0] = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof(int));
    pthread_create(&thread, 0, worker, 0);
    int *larger = realloc(block, 2 * sizeof(int));
    pthread_join(thread, 0);
    free(larger);
    return 0;
}
