// sley: reach=true race=true deadlock=true memory=true overflow=true
// A thread assumes what cannot be, so that no run comes to the wrong assertion.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int chosen;

static void *work(void *unused) {
    int input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input > 5 && input < 3);
    chosen = input;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    assert(chosen == 7);
    return 0;
}
