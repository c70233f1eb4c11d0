// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A mutex that is not held is unlocked before the threads race: nothing is promised of what comes then.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *work(void *unused) {
    pthread_mutex_unlock(&lock);
    shared++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
