// sley: reach=true race=true deadlock=true memory=true overflow=true
// Who joins the thread may free what the thread has used.
#include <assert.h>
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
    pthread_join(thread, 0);
    assert(*block == 1);
    free(block);
    return 0;
}
