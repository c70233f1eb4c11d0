// sley: reach=true race=true deadlock=true memory=true overflow=true
// The accesses of an atomic section stand in a function that it calls, and are one step.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

_Atomic int x, y;

static void set_both(void)
{
    x = 1;
    y = 1;
}

void *reader(void *unused)
{
    int seen = y;
    assert(x >= seen);
    return 0;
}

void *writer(void *unused)
{
    __VERIFIER_atomic_begin();
    set_both();
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
