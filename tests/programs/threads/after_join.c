// sley: reach=false race=true deadlock=true memory=true overflow=true
// What comes after a join happens.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *worker(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, 0);
    assert(x == 0);
}
