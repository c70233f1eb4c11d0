// sley: reach=true race=true deadlock=false memory=true overflow=true
// Which element of an array of mutexes is first depends on the thread.
#include <pthread.h>

pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

void *worker(void *given)
{
    int first = given != 0;
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[1 - first]);
    pthread_mutex_unlock(&locks[1 - first]);
    pthread_mutex_unlock(&locks[first]);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, &first);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
