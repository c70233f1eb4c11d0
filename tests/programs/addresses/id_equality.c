// sley: reach=true race=true deadlock=true memory=true overflow=true
// Ids of threads that live are different, and the same thread has the same id.
#include <assert.h>
#include <pthread.h>

pthread_t first, second;

void *worker(void *unused)
{
    assert(pthread_equal(pthread_self(), pthread_self()));
    return 0;
}

int main(void)
{
    pthread_t me = pthread_self();
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    assert(!pthread_equal(first, second) && !pthread_equal(me, first) && me == pthread_self());
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
