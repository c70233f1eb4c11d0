// sley: unmodelled=true
// Read as one lock, the atomic sections order the write and the read of `data`; no model of weak orders says so.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int data, x;
atomic_int ready;

void *write(void *unused) {
    data = 1;
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

void *read(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        __VERIFIER_atomic_begin();
        x = 2;
        __VERIFIER_atomic_end();
        return data ? 0 : &data;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, write, 0);
    pthread_create(&b, 0, read, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
