// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each thread reads what its neighbour wrote in the phase before, with a barrier between.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2] = {1, 10};

static void *step(void *arg)
{
    int me = *(int *)arg;
    int other = cells[1 - me];
    pthread_barrier_wait(&barrier);
    cells[me] += other;
    pthread_barrier_wait(&barrier);
    assert(cells[0] == 11 && cells[1] == 11);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int names[2] = {0, 1};
    if (pthread_barrier_init(&barrier, NULL, 2) != 0)
        return 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, step, &names[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
