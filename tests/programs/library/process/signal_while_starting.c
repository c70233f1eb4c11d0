// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// A signal may come before what its thread uses is written.
#include <pthread.h>
#include <signal.h>

sigset_t set;
int workers;

static void *waiter(void *unused)
{
    int number;
    sigwait(&set, &number);
    return workers ? &workers : 0;
}

int main(void)
{
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, waiter, 0);
    workers = 4;
    pthread_join(thread, 0);
    return 0;
}
