// sley: unmodelled=true
// A robust mutex tells when its owner has ended, which has no model.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
