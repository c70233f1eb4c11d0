// sley: reach=false race=true deadlock=true memory=true overflow=true
// A section changes two variables.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

atomic_int x, y;

void *worker(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    y = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    assert(x == 0 || y == 0);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
