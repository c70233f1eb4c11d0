// sley: reach=true race=true deadlock=true memory=true overflow=true
// Static variables of `main` live on after its `pthread_exit`.
#include <assert.h>
#include <pthread.h>

static void *work(void *number)
{
    assert(*(int *)number == 4);
    return 0;
}

static void start(int *number)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, number);
    pthread_detach(thread);
    pthread_exit(0);
}

int main(void)
{
    static int number = 4;
    start(&number);
}
