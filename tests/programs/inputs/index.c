// sley: reach=true race=true deadlock=true memory=true overflow=true
// An index that is computed from an input: which element it is matters, and nothing else of the input.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned input;
int slots[4];

void *put(void *unused) {
    slots[input % 4] = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    input = __VERIFIER_nondet_uint();
    pthread_create(&thread, 0, put, 0);
    pthread_join(thread, 0);
    assert(slots[0] + slots[1] + slots[2] + slots[3] == 1);
    assert(slots[input & 3] == 1);
    return 0;
}
