// sley: reach=true race=true deadlock=true memory=true overflow=true
// An index that stands in a table, at an index that is read, too.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int v[2], w[2];
int k;

void *reader(void *unused)
{
    __VERIFIER_atomic_begin();
    assert(v[w[k]] <= 1);
    __VERIFIER_atomic_end();
    return 0;
}

void *writer(void *unused)
{
    __VERIFIER_atomic_begin();
    v[1] = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t one, two;
    k = __VERIFIER_nondet_bool();
    w[1] = __VERIFIER_nondet_bool();
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
