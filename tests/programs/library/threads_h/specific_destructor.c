// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The destructor of a key frees what a thread has left there; main's value is not destroyed at the end.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

tss_t key;
int destroyed, own;

void destroy(void *block)
{
    assert(tss_get(key) == 0);
    destroyed += *(int *)block;
    free(block);
}

int worker(void *argument)
{
    int *block = malloc(sizeof *block);
    *block = 4;
    assert(tss_get(key) == 0);
    assert(tss_set(key, block) == thrd_success);
    assert(tss_get(key) == block);
    return 0;
}

int main(void)
{
    thrd_t thread;
    assert(tss_create(&key, destroy) == thrd_success);
    tss_set(key, &own);
    thrd_create(&thread, worker, 0);
    thrd_join(thread, 0);
    assert(destroyed == 4);
    assert(tss_get(key) == &own);
    tss_delete(key);
    return 0;
}
