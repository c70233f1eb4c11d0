// sley: reach=true race=true deadlock=true memory=true overflow=true
// The thread gets the block as an integer and frees it; the owner has finished before.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

void *freeing(void *handed)
{
    uintptr_t number = *(uintptr_t *)handed;
    free((void *)number);
    return 0;
}

int main(void)
{
    pthread_t thread;
    uintptr_t number;
    int *block = malloc(sizeof *block);
    *block = 2;
    number = (uintptr_t)block;
    pthread_create(&thread, 0, freeing, &number);
    pthread_join(thread, 0);
    return 0;
}
