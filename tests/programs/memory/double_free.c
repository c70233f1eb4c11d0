// sley: reach=true race=false deadlock=true memory=false overflow=true
// Two threads free the same block: the check and the reset are not one step.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;

void *cleaner(void *unused)
{
    int *mine = block;
    if (mine) {
        block = NULL;
        free(mine);
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof(int));
    pthread_create(&thread, 0, cleaner, 0);
    cleaner(0);
    pthread_join(thread, 0);
    return 0;
}
