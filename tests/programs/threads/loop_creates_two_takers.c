// sley: reach=false race=true deadlock=true memory=true overflow=true
// The second of two threads sees what the first has done.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_bool is_taken;

void *worker(void *unused) {
    assert(!atomic_exchange(&is_taken, 1));
    return 0;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t id;
        pthread_create(&id, 0, worker, 0);
    }
    return 0;
}
