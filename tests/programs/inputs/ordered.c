// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two inputs that may be anything, the first one smaller: its successor is at most the second.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int low, high, next;

void *step(void *unused) {
    next = low + 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    low = __VERIFIER_nondet_int();
    high = __VERIFIER_nondet_int();
    if (low >= high)
        return 0;
    pthread_create(&thread, 0, step, 0);
    pthread_join(thread, 0);
    assert(next <= high);
    return 0;
}
