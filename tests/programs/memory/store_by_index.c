// sley: reach=false race=true deadlock=true memory=true overflow=true
// A store changes one of two elements.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern _Bool __VERIFIER_nondet_bool(void);

atomic_int x;
int places[2];

void *worker(void *unused) {
    x = __VERIFIER_nondet_bool();
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    places[x & 1] = 1;
    pthread_join(id, 0);
    assert(places[1] == 0);
}
