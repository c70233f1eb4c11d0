// sley: reach=true race=true deadlock=true memory=true overflow=true
// Whatever the input is, main returns before a thread is started, but not always at the same place.
#include <pthread.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static int shared;

static void *work(void *unused) {
    shared++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    int input = __VERIFIER_nondet_int();
    if (input > 0)
        return 1;
    if (input < 1)
        return 2;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
