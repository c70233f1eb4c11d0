// sley: reach=true race=true deadlock=true memory=true overflow=true
// Inputs that are equal are equal to what the last one turns out to be; a new input later is another one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

int a, b, c;
atomic_int d;

void *fresh(void *unused) {
    int mine = __VERIFIER_nondet_int();
    if (mine != a)
        d = mine;
    return 0;
}

int main(void) {
    pthread_t thread;
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
    c = __VERIFIER_nondet_int();
    d = 5;
    if (a != b || b != c)
        return 0;
    pthread_create(&thread, 0, fresh, 0);
    int seen = d;
    pthread_join(thread, 0);
    if (c == 7)
        assert(a == 7 && b == 7 && d != 7 && seen != 7);
    return 0;
}
