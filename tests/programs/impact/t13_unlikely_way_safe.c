// sley: reach=true race=true deadlock=true memory=true overflow=true
// A section whose rare way touches the table, and whose others do not.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int v[2];
int i, rare;

void *reader(void *unused)
{
    __VERIFIER_atomic_begin();
    if (rare)
        assert(v[i] <= 1);
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
    rare = __VERIFIER_nondet_bool();
    i = __VERIFIER_nondet_bool();
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
