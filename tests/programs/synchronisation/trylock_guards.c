// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Who gets the mutex by trylock has what it protects for itself; who does not get it leaves it alone.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *worker(void *unused)
{
    if (pthread_mutex_trylock(&m) == 0) {
        data++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    worker(0);
    pthread_join(one, 0);
    assert(data >= 1);
    return 0;
}
