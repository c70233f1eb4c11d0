// sley: reach=true race=true deadlock=true memory=true overflow=true
// Fig. 1 of the paper: a table whose elements two threads use, by indices that are unknown but differ.
// The figure's last line asserts that v[j] is at least 0; every run ends with -1.
#include <assert.h>
#include <pthread.h>

#define SIZE 2

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

_Atomic int v[SIZE];
unsigned i, j;

void *first(void *unused)
{
    v[i] = 1;
    v[i] = v[i] + 1;
    v[i] = v[j];
    return 0;
}

void *second(void *unused)
{
    v[j] = -2;
    v[j] = v[j] + 1;
    v[i] = v[i] + 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    i = __VERIFIER_nondet_uint();
    j = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < SIZE && j < SIZE && i != j);
    v[i] = 0;
    v[j] = 0;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(v[j] == -1);
    return 0;
}
