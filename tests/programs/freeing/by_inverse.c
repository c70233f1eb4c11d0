// sley: reach=true race=false deadlock=true memory=false overflow=true
// All bits of the pointer are turned over and back again before it is freed.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t turned;

void *freeing(void *unused)
{
    free((void *)~turned);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = calloc(1, sizeof *block);
    turned = ~(uintptr_t)block;
    pthread_create(&thread, 0, freeing, 0);
    *block += 1;
    pthread_join(thread, 0);
    return 0;
}
