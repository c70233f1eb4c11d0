// sley: reach=true race=false deadlock=true memory=false overflow=true
// The thread gets the block as an integer and frees it while the owner still writes.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t handed;

void *freeing(void *unused)
{
    free((void *)handed);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = malloc(sizeof *block);
    handed = (uintptr_t)block;
    pthread_create(&thread, 0, freeing, 0);
    *block = 2;
    pthread_join(thread, 0);
    return 0;
}
