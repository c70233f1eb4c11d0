// sley: reach=true race=true deadlock=true memory=false overflow=true
// The pointer is still null when the thread is not fast enough.
#include <pthread.h>
#include <stdatomic.h>

int value;
_Atomic(int *) pointer;

void *setter(void *unused)
{
    pointer = &value;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, setter, 0);
    *pointer = 1;
    pthread_join(thread, 0);
    return 0;
}
