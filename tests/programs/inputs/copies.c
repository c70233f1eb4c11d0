// sley: reach=true race=true deadlock=true memory=true overflow=true
// What two threads compute from copies of one input is the same, whatever it is.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned input, first, second;

void *one(void *unused) {
    first = 3 * input + 1;
    return 0;
}

void *other(void *unused) {
    second = input + input + input;
    return 0;
}

int main(void) {
    pthread_t a, b;
    input = __VERIFIER_nondet_uint();
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == second + 1);
    assert(first != second);
    return 0;
}
