// sley: reach=true race=false deadlock=true memory=true overflow=true
// One thread writes first, another reads later.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;
int x;

void *worker(void *unused) {
    if (atomic_exchange(&turn, 1) == 0) {
        x = 1;
    } else {
        turn = 2;
        int seen = x;
        (void)seen;
    }
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
