// sley: reach=false race=false deadlock=true memory=true overflow=true
// A thread that initialises a mutex holds it no longer, also if it did so before there were other threads.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int data, is_changed;

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    int before = data;
    is_changed = data != before;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_mutex_lock(&mutex);
    pthread_mutex_init(&mutex, 0);
    pthread_create(&id, 0, worker, 0);
    data = 1;
    pthread_join(id, 0);
    assert(!is_changed);
    return 0;
}
