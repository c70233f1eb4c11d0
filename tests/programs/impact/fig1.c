// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads write elements of an array: in either order the same, because their indices differ.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int v[2];
int i, j;

void *first(void *unused)
{
    int mine = i;
    v[mine] = 1;
    v[mine] = 2;
    return 0;
}

void *second(void *unused)
{
    int mine = j;
    v[mine] = -2;
    v[mine] = -1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    i = __VERIFIER_nondet_bool();
    j = !i;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(v[j] == -1);
    return 0;
}
