// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads may free the block, an atomic exchange decides which one does; free(NULL) is harmless.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;

void *cleaner(void *unused)
{
    free(atomic_exchange(&block, NULL));
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
