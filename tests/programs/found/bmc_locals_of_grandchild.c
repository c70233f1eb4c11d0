// sley: reach=false race=true deadlock=true memory=true overflow=true
// Locals that threads lend to others, and inputs, belong to threads whose numbers depend on the schedule.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
_Atomic int seen;

void *reads(void *argument)
{
    seen = *(int *)argument;
    return 0;
}

void *lends(void *unused)
{
    int lent = __VERIFIER_nondet_int();
    pthread_t thread;
    pthread_create(&thread, 0, reads, &lent);
    pthread_join(thread, 0);
    return 0;
}

void *compares(void *unused)
{
    int own = __VERIFIER_nondet_int();
    int *place = &own;
    assert(*place != 41 || seen != 42);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, lends, 0);
    pthread_create(&other, 0, compares, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
