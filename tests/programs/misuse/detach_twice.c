// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A thread can be detached only once.
#include <pthread.h>

void *worker(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_detach(thread);
    pthread_detach(thread);
    return 0;
}
