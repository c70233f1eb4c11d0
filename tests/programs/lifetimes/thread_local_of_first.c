// sley: reach=true race=true deadlock=true memory=false overflow=true
// `main` ends its thread by `pthread_exit`, deep in a call: its variables of all kinds are gone.
#include <pthread.h>

static _Thread_local int own = 3;

static void *work(void *first)
{
    int *number = *(int **)first;
    return number + *number;
}

static void leave(void)
{
    pthread_exit(0);
}

int main(void)
{
    static int *address;
    pthread_t thread;
    address = &own;
    pthread_create(&thread, 0, work, &address);
    leave();
}
