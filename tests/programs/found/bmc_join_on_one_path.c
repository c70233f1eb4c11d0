// sley: reach=false race=true deadlock=true memory=true overflow=true
// A thread that is joined on one path only may still run after the paths have met.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int done;

void *worker(void *unused)
{
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    if (__VERIFIER_nondet_bool())
        pthread_join(id, 0);
    assert(done == 1);
    return 0;
}
