// sley: reach=true race=true deadlock=true memory=false overflow=true
// The thread-local variable of a thread ends with it.
#include <pthread.h>

static _Thread_local int own;
static int *others;

static void *work(void *unused)
{
    own = 3;
    others = &own;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return *others;
}
