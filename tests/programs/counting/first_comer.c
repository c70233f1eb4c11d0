// sley: reach=true race=true deadlock=true memory=true overflow=true
// Whoever comes first is the only one who writes; the counter of those who came stops at its largest value.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned came;
int data;

void *worker(void *unused)
{
    unsigned mine;
    __VERIFIER_atomic_begin();
    mine = came;
    if (mine != UINT_MAX)
        came = mine + 1;
    __VERIFIER_atomic_end();
    if (mine == 0) {
        data = data + 1;
        assert(data == 1);
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
