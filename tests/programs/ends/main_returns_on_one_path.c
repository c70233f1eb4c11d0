// sley: reach=false race=true deadlock=true memory=true overflow=true
// `main` returns early on one path, inside a critical section; on the other it waits and fails.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int done;

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    if (!done)
        return 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    assert(!done);
    return 0;
}
