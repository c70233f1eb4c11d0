// sley: reach=true race=true deadlock=true memory=true overflow=false
// Between the check and the addition another thread uses up the range.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int level = INT_MAX - 1;

void *worker(void *unused)
{
    if (level < INT_MAX) {
        int old = level;
        level = old + 1;
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
