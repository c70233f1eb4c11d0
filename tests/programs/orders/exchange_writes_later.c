// sley: reach=true race=false deadlock=true memory=true overflow=true
// The compare-exchange only reads, until the store lets it succeed: then it races with the plain read.
#include <pthread.h>

int x;

void *change(void *unused) {
    int expected = 5;
    __atomic_compare_exchange_n(&x, &expected, 6, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    __atomic_store_n(&x, 5, __ATOMIC_SEQ_CST);
    int seen = x;
    pthread_join(thread, 0);
    return seen;
}
