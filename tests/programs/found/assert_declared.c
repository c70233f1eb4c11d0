// sley: reach=true race=true deadlock=true memory=true overflow=true
// assert declared by hand is still an assertion, and here it holds.
#include <pthread.h>

extern void assert(_Bool);

int step = 0;

void *worker(void *unused) {
    step = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(step == 1);
    return 0;
}
