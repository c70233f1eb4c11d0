// sley: reach=true race=true deadlock=true memory=true overflow=true progress=false
// Main waits for a signal that nobody gives, and the worker spins until main goes on; wake-ups without one do not count.
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
_Atomic int go;

void *worker(void *unused)
{
    while (!go)
        ;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex);
    go = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}
