// sley: reach=true race=true deadlock=true memory=true overflow=true progress=true
// Two threads poll under a lock, for ever: each writes while the other one can run, which is not what is looked for.
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int done;

void *worker(void *unused)
{
    int is_done = 0;
    while (!is_done) {
        pthread_mutex_lock(&mutex);
        is_done = done;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
