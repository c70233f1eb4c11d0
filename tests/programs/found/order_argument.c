// sley: reach=true race=false deadlock=true memory=true overflow=true
// The memory order of an atomic operation is an expression like any other: this one has an effect, and a race.
#include <assert.h>
#include <pthread.h>

int flag = 0;
int order = __ATOMIC_RELAXED;

void *writer(void *unused) {
    __atomic_store_n(&flag, 1, (order++, __ATOMIC_SEQ_CST));
    return 0;
}

void *reader(void *unused) {
    __atomic_load_n(&flag, order);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(flag == 1 && order == __ATOMIC_CONSUME);
    return 0;
}
