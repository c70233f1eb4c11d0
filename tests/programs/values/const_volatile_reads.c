// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads read a constant table at the same time, one of them through a pointer without const.
#include <assert.h>
#include <pthread.h>

static const int table[4] = {1, 2, 3, 4};

static void *sum(void *from)
{
    int *at = from, total = 0;
    for (int i = 0; i < 4; i++)
        total += at[i];
    assert(total == 10);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, sum, (void *)table);
    assert(table[3] == 4);
    pthread_join(thread, 0);
    return 0;
}
