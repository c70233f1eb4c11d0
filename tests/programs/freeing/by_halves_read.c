// sley: reach=false race=false deadlock=true memory=false overflow=true
// The halves of the pointer travel apart; the thread reads through them before or after the owner frees.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uint32_t low, high;

void *reader(void *unused)
{
    int *block = (int *)((uintptr_t)high << 32 | low);
    assert(*block != 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = calloc(1, sizeof *block);
    low = (uint32_t)(uintptr_t)block;
    high = (uint32_t)((uintptr_t)block >> 32);
    pthread_create(&thread, 0, reader, 0);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
