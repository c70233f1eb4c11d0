// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A thread names itself, which cannot fail as naming another one can; only the first thread joins.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static void *worker(void *unused)
{
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
