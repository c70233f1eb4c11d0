// sley: reach=false race=false deadlock=true memory=false overflow=true
// A block that only its thread ever knew is freed; its stale pointer then hits the block of another thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *careless(void *argument)
{
    int *block = malloc(sizeof(int));
    free(block);
    *block = 1;
    return 0;
}

void *careful(void *argument)
{
    int *block = calloc(1, sizeof(int));
    assert(*block == 0);
    free(block);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, careless, 0);
    pthread_create(&second, 0, careful, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
