// sley: reach=true race=true deadlock=true memory=true overflow=true
// One input, used twice, is one value.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int x, y;

void *chooser(void *unused)
{
    int chosen = __VERIFIER_nondet_bool();
    x = chosen;
    y = chosen;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, chooser, 0);
    pthread_join(thread, 0);
    assert(x == y);
    return 0;
}
