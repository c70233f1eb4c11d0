// sley: reach=true race=true deadlock=true memory=true overflow=true
// The assertion is reached for one input only, which no random run would guess.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned seen;

static void *work(void *unused) {
    seen = __VERIFIER_nondet_uint();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    if (seen % 9973 == 777 && seen / 9973 == 12345)
        assert(seen == 123117462u);
    return 0;
}
