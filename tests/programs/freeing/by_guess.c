// sley: reach=true race=false deadlock=true memory=false overflow=true
// Of all numbers the input is the one that the pointer has: who frees by it frees the block.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

unsigned long __VERIFIER_nondet_ulong(void);

int *block;

void *freeing(void *unused)
{
    uintptr_t number = __VERIFIER_nondet_ulong();
    if (number == (uintptr_t)block)
        free((void *)number);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *mine = block = calloc(1, sizeof *block);
    pthread_create(&thread, 0, freeing, 0);
    *mine += 1;
    pthread_join(thread, 0);
    return 0;
}
