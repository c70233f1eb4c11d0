// sley: reach=true race=true deadlock=true memory=true overflow=true
// A compare-exchange that fails only reads, and so does not race with a plain read.
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
    int seen = x;
    pthread_join(thread, 0);
    return seen;
}
