// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two different elements of one array: writing them in either order is the same.
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
    j = 1 - i;
    pthread_create(&one, 0, writes_i, 0);
    pthread_create(&two, 0, writes_j, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(v[i] == 1);
    return 0;
}
