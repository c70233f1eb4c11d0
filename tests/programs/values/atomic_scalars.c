// sley: reach=true race=true deadlock=true memory=true overflow=true
// Compound assignments and steps on atomic objects of every scalar type are single accesses.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static _Atomic double sum;
static _Atomic float part;
static _Atomic bool seen;
static _Atomic unsigned char byte = 254;
static int cells[5];
static int *_Atomic cursor = cells;

static void *work(void *none)
{
    sum += 1.5;
    part *= 2;
    seen |= 1;
    byte++;
    cursor++;
    ++cursor;
    return none;
}

int main(void)
{
    part = 1;
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    assert(sum == 3.0 && part == 4.0f && seen && byte == 0 && cursor == cells + 4);
    return 0;
}
