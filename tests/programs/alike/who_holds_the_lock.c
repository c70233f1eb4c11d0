// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Each of four threads owns what it has locked, and knows itself by its id.
#include <assert.h>
#include <pthread.h>

pthread_t owner;
int depth;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    owner = pthread_self();
    depth++;
    assert(pthread_equal(owner, pthread_self()) && depth == 1);
    depth--;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
