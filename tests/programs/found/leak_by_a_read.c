// sley: reach=true race=true deadlock=true memory=false overflow=true
// The last reference to a block is lost by a step that writes no memory, and the process ends right after it.
#include <pthread.h>
#include <stdlib.h>

_Atomic int stage;

void *worker(void *argument)
{
    int *block = malloc(sizeof(int));
    if (!block)
        return 0;
    while (stage == 0)
        ;
    *block = 1;
    int is_over = stage;
    block = is_over ? 0 : block;
    while (stage == 1)
        ;
    if (block)
        free(block);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    stage = 1;
    return 0;
}
