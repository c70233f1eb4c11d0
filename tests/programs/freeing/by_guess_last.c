// sley: reach=true race=true deadlock=true memory=true overflow=true
// The input is compared with the pointer; nobody uses the block meanwhile, and who does not free it keeps it.
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
    block = calloc(1, sizeof *block);
    pthread_create(&thread, 0, freeing, 0);
    pthread_join(thread, 0);
    return 0;
}
