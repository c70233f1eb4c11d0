// sley: reach=true race=true deadlock=true memory=true overflow=true progress=false
// Main waits for the worker, and holds the lock that the worker needs.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic int done;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    while (!done)
        ;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
