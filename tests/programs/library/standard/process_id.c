// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The number of the process is positive and the same for all threads, all the time.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pid_t seen;

static void *worker(void *unused)
{
    seen = getpid();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pid_t own = getpid();
    pthread_join(thread, 0);
    assert(own > 0 && own == seen && own == getpid());
    return 0;
}
