// sley: reach=true race=false deadlock=true memory=true overflow=true
// One side uses an atomic operation, the other reads plainly: still a race.
#include <assert.h>
#include <pthread.h>

int counter;

void *worker(void *unused)
{
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int seen = counter;
    assert(seen == 0 || seen == 1);
    pthread_join(thread, 0);
    return 0;
}
