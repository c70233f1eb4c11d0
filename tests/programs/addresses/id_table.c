// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each thread finds its row in a table by its id.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_t ids[2];
int rows[2];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 2; i++)
        if (pthread_equal(ids[i], pthread_self()))
            rows[i]++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_create(&ids[i], 0, worker, 0);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], 0);
    assert(rows[0] == 1 && rows[1] == 1);
    return 0;
}
