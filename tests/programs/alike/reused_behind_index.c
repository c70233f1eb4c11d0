// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two threads are alike, and each may get a block where its last one lay, to which a pointer with an unknown index is left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

atomic_int same;

void *worker(void *unused)
{
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < 4);
    char *block = malloc(4);
    char *inside = block + i;
    free(block);
    block = malloc(4);
    if (block == inside)
        atomic_fetch_add(&same, 1);
    free(block);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(atomic_load(&same) < 2);
    return 0;
}
