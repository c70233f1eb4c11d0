// sley: reach=true race=true deadlock=true memory=false overflow=true
// A local constant is written through a pointer that another thread got.
#include <pthread.h>

static void *bump(void *number)
{
    *(int *)number = 2;
    return 0;
}

int main(void)
{
    const int fixed = 1;
    pthread_t thread;
    pthread_create(&thread, 0, bump, (void *)&fixed);
    pthread_join(thread, 0);
    return 0;
}
