// sley: reach=true race=true deadlock=true memory=false overflow=true
// A thread returns the address of a local variable, which is gone when the result is used.
#include <pthread.h>

void *worker(void *unused)
{
    int local = 1;
    int *address = &local;
    return address;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, &result);
    return *(int *)result;
}
