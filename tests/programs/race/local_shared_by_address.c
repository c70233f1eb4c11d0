// sley: reach=true race=false deadlock=true memory=true overflow=true
// A local variable is shared as soon as its address is given to another thread.
#include <pthread.h>

void *worker(void *number)
{
    *(int *)number = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int number = 0;
    pthread_create(&thread, 0, worker, &number);
    number = 2;
    pthread_join(thread, 0);
    return 0;
}
