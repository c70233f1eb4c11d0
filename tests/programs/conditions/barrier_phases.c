// sley: reach=true race=true deadlock=true memory=true overflow=true
// A barrier between two phases: each thread reads what the other wrote before.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int value[2], sum[2], serial;

static void work(int me)
{
    value[me] = me + 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    sum[me] = value[0] + value[1];
    pthread_barrier_wait(&barrier);
    value[me] = 0;
}

void *worker(void *unused)
{
    work(1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, worker, 0);
    work(0);
    pthread_join(thread, 0);
    pthread_barrier_destroy(&barrier);
    assert(sum[0] == 3 && sum[1] == 3 && serial == 1);
    return 0;
}
