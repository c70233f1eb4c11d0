// sley: reach=true race=true deadlock=true memory=true overflow=true
// One thread counts up to an input, the other one looks: it sees no more than that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned limit;
atomic_uint done;

void *worker(void *unused)
{
    for (unsigned i = 0; i < limit; i++)
        done = i + 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    limit = __VERIFIER_nondet_uint();
    pthread_create(&id, 0, worker, 0);
    assert(done <= limit);
    pthread_join(id, 0);
    assert(done == limit);
    return 0;
}
