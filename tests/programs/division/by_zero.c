// sley: reach=true race=true deadlock=true memory=true overflow=true division=false
// Another thread may set the divisor to zero in time.
#include <pthread.h>
#include <stdatomic.h>

atomic_int divisor = 2;

void *worker(void *unused)
{
    divisor = 0;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int half = 10 / divisor;
    pthread_join(thread, 0);
    return half == 0;
}
