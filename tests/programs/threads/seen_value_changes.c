// sley: reach=false race=true deadlock=true memory=true overflow=true
// What a thread has seen changes while it stands.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uchar x;

void *worker(void *unused) {
    unsigned char seen = x;
    assert(x == seen);
    x = 1;
    return 0;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t id;
        pthread_create(&id, 0, worker, 0);
    }
    pthread_exit(0);
}
