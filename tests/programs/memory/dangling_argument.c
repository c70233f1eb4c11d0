// sley: reach=true race=true deadlock=true memory=false overflow=true
// `pthread_exit` in main: its locals die while the thread still uses one.
#include <pthread.h>
#include <stdatomic.h>

void *worker(void *number)
{
    return (void *)(long)atomic_load((atomic_int *)number);
}

int main(void)
{
    pthread_t thread;
    atomic_int number = 1;
    pthread_create(&thread, 0, worker, &number);
    pthread_exit(0);
}
