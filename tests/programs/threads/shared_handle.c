// sley: reach=true race=false deadlock=true memory=true overflow=true
// Two threads store the handles of the threads they create in the same variable.
#include <pthread.h>

pthread_t handle;

void *idle(void *unused)
{
    return 0;
}

void *creator(void *unused)
{
    pthread_create(&handle, 0, idle, 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, creator, 0);
    creator(0);
    pthread_join(thread, 0);
    return 0;
}
