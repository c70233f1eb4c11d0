// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A mutex that was initialised while other threads run, and that the thread holds: to lock it again is an error.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock;

static void *other(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t checked;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_init(&lock, &checked);
    pthread_mutex_lock(&lock);
    int again = pthread_mutex_lock(&lock);
    assert(again == 0);
    return 0;
}
