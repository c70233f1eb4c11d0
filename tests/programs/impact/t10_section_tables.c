// sley: reach=false race=true deadlock=true memory=true overflow=true
// Whether two sections commute depends on indices that each of them reads first.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int v[2];
int i, j = 1;

void *reader(void *unused)
{
    __VERIFIER_atomic_begin();
    assert(v[j] <= 0);
    __VERIFIER_atomic_end();
    return 0;
}

void *writer(void *unused)
{
    if (__VERIFIER_nondet_bool()) {
        __VERIFIER_atomic_begin();
        i = j;
        __VERIFIER_atomic_end();
    }
    __VERIFIER_atomic_begin();
    v[i] = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
