// sley: reach=true race=false deadlock=true memory=false overflow=true
// Nothing orders the thread's write and the free: a data race, and perhaps a use after the end.
#include <pthread.h>
#include <stdlib.h>

void *writer(void *block)
{
    *(int *)block = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = malloc(sizeof *block);
    pthread_create(&thread, 0, writer, block);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
