// sley: reach=true race=false deadlock=true memory=true overflow=true
// `volatile` keeps a compiler from leaving accesses out; it does not make them atomic.
#include <pthread.h>

volatile int flag;

static void *raise_flag(void *unused)
{
    flag = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, raise_flag, 0);
    while (flag == 0)
        ;
    pthread_join(thread, 0);
    return 0;
}
