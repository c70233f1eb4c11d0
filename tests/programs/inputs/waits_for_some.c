// sley: reach=true race=true deadlock=false memory=true overflow=true
// The section completes if something is below the limit: for the limit 0 nothing is, and its thread waits.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned limit;

void *choose(void *unused) {
    __VERIFIER_atomic_begin();
    unsigned mine = __VERIFIER_nondet_uint();
    __VERIFIER_assume(mine < limit);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    limit = __VERIFIER_nondet_uint();
    pthread_create(&thread, 0, choose, 0);
    pthread_join(thread, 0);
    assert(limit != 0);
    return 0;
}
