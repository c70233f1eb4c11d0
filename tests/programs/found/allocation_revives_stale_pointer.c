// sley: reach=false race=false deadlock=true memory=false overflow=true
// A stale pointer hits the block that another thread has just allocated in the same place.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *stale;

void *writer(void *argument)
{
    *stale = 1;
    return 0;
}

void *owner(void *argument)
{
    int *block = calloc(1, sizeof(int));
    assert(*block == 0);
    free(block);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    stale = malloc(sizeof(int));
    free(stale);
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, owner, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
