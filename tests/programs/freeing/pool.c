// sley: reach=true race=true deadlock=true memory=true overflow=true
// A pool of threads on the heap: mutex, condition and handles lie in blocks that are freed in the end.
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t notify;
    pthread_t *threads;
    int jobs, closed;
};

static void *work(void *given)
{
    struct pool *pool = given;
    pthread_mutex_lock(&pool->lock);
    while (pool->jobs == 0 && !pool->closed)
        pthread_cond_wait(&pool->notify, &pool->lock);
    if (pool->jobs)
        pool->jobs--;
    pthread_mutex_unlock(&pool->lock);
    return 0;
}

int main(void)
{
    struct pool *pool = malloc(sizeof *pool);
    pool->jobs = pool->closed = 0;
    pool->threads = malloc(2 * sizeof(pthread_t));
    pthread_mutex_init(&pool->lock, 0);
    pthread_cond_init(&pool->notify, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&pool->threads[i], 0, work, pool);
    pthread_mutex_lock(&pool->lock);
    pool->closed = 1;
    pthread_cond_broadcast(&pool->notify);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < 2; i++)
        pthread_join(pool->threads[i], 0);
    free(pool->threads);
    free(pool);
    return 0;
}
