// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A thread can be joined only once.
#include <pthread.h>

void *worker(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    pthread_join(thread, 0);
    return 0;
}
