// sley: reach=false race=true deadlock=true memory=true overflow=true
// A thread may get the id of one that was joined before it was created.
#include <assert.h>
#include <pthread.h>

pthread_t before;

void *worker(void *unused)
{
    return 0;
}

void *later(void *unused)
{
    assert(pthread_self() != before);
    return 0;
}

int main(void)
{
    pthread_t next;
    pthread_create(&before, 0, worker, 0);
    pthread_join(before, 0);
    pthread_create(&next, 0, later, 0);
    pthread_join(next, 0);
    return 0;
}
