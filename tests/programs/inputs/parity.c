// sley: reach=true race=true deadlock=true memory=true overflow=true
// Whether an input is odd is no range of numbers.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned input, twice;
int is_odd;

void *work(void *unused) {
    twice = input * 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    input = __VERIFIER_nondet_uint();
    is_odd = input & 1;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(twice % 4 == (is_odd ? 2 : 0));
    return 0;
}
