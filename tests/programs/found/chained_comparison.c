// sley: reach=true race=true deadlock=true memory=true overflow=true
// What some compilers take for an error by default, such as a chained comparison, is C.
#include <assert.h>
#include <pthread.h>

int high = 3;

void *worker(void *unused) {
    high = 0 < high < 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(high == 1);
    return 0;
}
