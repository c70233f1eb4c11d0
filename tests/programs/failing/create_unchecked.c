// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false args="--create-may-fail"
// A thread that was not started is waited for.
#include <pthread.h>

void *worker(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t t = 0;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
