// sley: reach=false race=true deadlock=true memory=true overflow=true
// The write stands in an atomic section: what the reduction looks at is the whole section, not its end.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

_Atomic int x;

void *thread_one(void *unused)
{
    assert(x == 0);
    return 0;
}

void *thread_two(void *unused)
{
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
