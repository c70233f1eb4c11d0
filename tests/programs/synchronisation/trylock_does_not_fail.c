// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A trylock of a mutex that nobody holds succeeds: POSIX knows no failure for no reason.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *worker(void *unused)
{
    data = 1;
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    int error = pthread_mutex_trylock(&m);
    assert(error == 0);
    if (error)
        data = 2;
    pthread_mutex_unlock(&m);
    pthread_join(one, 0);
    return 0;
}
