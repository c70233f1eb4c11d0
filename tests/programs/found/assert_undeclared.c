// sley: reach=false race=true deadlock=true memory=true overflow=true
// assert without its header is still an assertion.
#include <pthread.h>

int step = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    step = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    assert(step == 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    assert(step == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
