// sley: reach=true race=false deadlock=true memory=false overflow=true
// The halves of the pointer travel apart; the thread puts them together and frees while the owner still reads.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct halves {
    uint32_t low, high;
} sent;
int seen;

void *freeing(void *unused)
{
    uintptr_t number = (uintptr_t)sent.high << 32 | sent.low;
    free((void *)number);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = calloc(1, sizeof *block);
    sent.low = (uint32_t)(uintptr_t)block;
    sent.high = (uint32_t)((uintptr_t)block >> 32);
    pthread_create(&thread, 0, freeing, 0);
    seen = *block;
    pthread_join(thread, 0);
    return 0;
}
