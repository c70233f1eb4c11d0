// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A thread created as detached is joined.
#include <pthread.h>

void *worker(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, worker, 0);
    pthread_attr_destroy(&attributes);
    pthread_join(thread, 0);
    return 0;
}
