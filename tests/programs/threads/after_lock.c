// sley: reach=false race=true deadlock=true memory=true overflow=true
// What comes after a lock happens.
#include <assert.h>
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    pthread_mutex_lock(&m);
    assert(x == 1);
    pthread_mutex_unlock(&m);
    pthread_join(id, 0);
}
