// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each thread has its own identity, which join and create agree on.
#include <assert.h>
#include <pthread.h>

pthread_t seen_by_worker;

void *worker(void *creator)
{
    seen_by_worker = pthread_self();
    assert(!pthread_equal(pthread_self(), *(pthread_t *)creator));
    return 0;
}

int main(void)
{
    pthread_t self = pthread_self(), thread;
    pthread_create(&thread, 0, worker, &self);
    pthread_join(thread, 0);
    assert(pthread_equal(thread, seen_by_worker));
    assert(!pthread_equal(self, thread));
    return 0;
}
