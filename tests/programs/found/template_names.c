// sley: reach=false race=true deadlock=true memory=true overflow=true
// Thread functions whose names differ by a number only, one of them started once, the other repeatedly.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

void *worker(void *unused)
{
    assert(0);
    return 0;
}

void *worker_1(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    for (int i = 0; i < 2 && __VERIFIER_nondet_bool(); i++)
        pthread_create(&id, 0, worker_1, 0);
    return 0;
}
