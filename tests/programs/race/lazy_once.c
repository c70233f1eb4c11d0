// sley: reach=true race=true deadlock=true memory=true overflow=true
// `pthread_once` runs the initialisation exactly once, before anyone goes on.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int value;

void initialise(void)
{
    value++;
}

void *user(void *unused)
{
    pthread_once(&once, initialise);
    assert(value == 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, user, 0);
    user(0);
    pthread_join(thread, 0);
    return 0;
}
