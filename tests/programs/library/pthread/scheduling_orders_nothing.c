// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// A higher priority makes no thread run first.
#include <pthread.h>
#include <sched.h>

int value;

void *worker(void *unused)
{
    struct sched_param parameters = {sched_get_priority_max(SCHED_FIFO)};
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
    value = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    sched_yield();
    value = 2;
    pthread_join(thread, 0);
    return 0;
}
