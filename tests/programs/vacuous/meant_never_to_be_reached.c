// sley: reach=true race=true deadlock=true memory=true overflow=true
// The only assertion that is called says that it is never reached; another one is in code that nobody calls.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static int kind;

int unused_check(int value) {
    assert(value > 0);
    return value;
}

static void *work(void *unused) {
    switch (kind) {
    case 0:
    case 1:
        break;
    default:
        assert(0);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    kind = __VERIFIER_nondet_int() & 1;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
}
