// sley: reach=true race=true deadlock=true memory=true overflow=true division=true
// The divisor is read once, checked, then used.
#include <assert.h>
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
    int seen = divisor;
    if (seen != 0)
        assert(11 % seen == 1);
    pthread_join(thread, 0);
    return 0;
}
