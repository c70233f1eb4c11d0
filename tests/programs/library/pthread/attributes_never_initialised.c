// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A thread is created with attributes that nobody has initialised.
#include <pthread.h>

void *worker(void *unused)
{
    return 0;
}

int main(void)
{
    static pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_create(&thread, &attributes, worker, 0) == 0)
        pthread_join(thread, 0);
    return 0;
}
