// sley: reach=true race=false deadlock=true memory=false overflow=true
// realloc ends the old block, wherever the new one is.
#include <pthread.h>
#include <stdlib.h>

int seen;

void *reader(void *block)
{
    seen = *(int *)block;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = calloc(1, sizeof *block);
    pthread_create(&thread, 0, reader, block);
    int *larger = realloc(block, 2 * sizeof *block);
    pthread_join(thread, 0);
    free(larger);
    return 0;
}
