// sley: reach=true race=true deadlock=true memory=true overflow=true
// A thread that does not look at its argument: an arbitrary number, turned into a pointer.
#include <assert.h>
#include <pthread.h>

int entered = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    entered++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    int arbitrary;
    pthread_t thread;
    pthread_create(&thread, 0, worker, (void *)(long)arbitrary);
    pthread_mutex_lock(&lock);
    entered++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    assert(entered == 2);
    return 0;
}
