// sley: reach=false race=true deadlock=true memory=true overflow=true
// A thread that ends on one path of a critical section, having unlocked, goes on along the other.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int visits;

void *visitor(void *unused)
{
    pthread_mutex_lock(&mutex);
    visits++;
    if (visits == 1) {
        pthread_mutex_unlock(&mutex);
        pthread_exit(0);
    }
    pthread_mutex_unlock(&mutex);
    assert(visits != 2);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, visitor, 0);
    pthread_create(&two, 0, visitor, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
