// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two elements of one array, which may be the same.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int v[2];
int i, j;

void *writes_i(void *unused)
{
    v[i] = 1;
    return 0;
}

void *writes_j(void *unused)
{
    v[j] = 2;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    i = __VERIFIER_nondet_bool();
    j = __VERIFIER_nondet_bool();
    pthread_create(&one, 0, writes_i, 0);
    pthread_create(&two, 0, writes_j, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(v[i] == 1);
    return 0;
}
