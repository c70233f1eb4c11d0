// sley: reach=true race=true deadlock=false memory=true overflow=true
// A thread that waits for its own end waits for ever.
#include <pthread.h>

void *worker(void *unused)
{
    pthread_join(pthread_self(), 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_exit(0);
}
