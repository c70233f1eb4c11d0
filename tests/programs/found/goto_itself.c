// sley: reach=false race=true deadlock=true memory=true overflow=true
// A label that jumps to itself: the thread goes on for ever, the others go on as well.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int is_set;

void stop(void) {
again:
    goto again;
}

void *worker(void *unused) {
    is_set = 1;
    stop();
    assert(0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    assert(!is_set);
    return 0;
}
