// sley: reach=false race=false deadlock=true memory=true overflow=true
// The classic mistake: every thread gets the address of the loop variable.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int started[3];

void *worker(void *index)
{
    started[*(int *)index]++;
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, &i);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(started[0] == 1 && started[1] == 1);
    return 0;
}
