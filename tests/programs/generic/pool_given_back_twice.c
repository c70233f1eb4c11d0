// sley: reach=false race=false deadlock=true memory=true overflow=true
// A block is given back to a pool twice, so two threads get the same one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pool {
    pthread_mutex_t lock;
    char *blocks;
    void *free;
    size_t size;
};

static void pool_init(struct pool *pool, size_t size, size_t count)
{
    pthread_mutex_init(&pool->lock, NULL);
    pool->size = size;
    pool->blocks = malloc(size * count);
    pool->free = NULL;
    for (size_t i = 0; i < count; i++) {
        void *block = pool->blocks + i * size;
        memcpy(block, &pool->free, sizeof pool->free);
        pool->free = block;
    }
}

static void *pool_copy(struct pool *pool, const void *record)
{
    pthread_mutex_lock(&pool->lock);
    void *block = pool->free;
    if (block)
        memcpy(&pool->free, block, sizeof pool->free);
    pthread_mutex_unlock(&pool->lock);
    if (block)
        memcpy(block, record, pool->size);
    return block;
}

static void pool_give_back(struct pool *pool, void *block)
{
    pthread_mutex_lock(&pool->lock);
    memcpy(block, &pool->free, sizeof pool->free);
    pool->free = block;
    pthread_mutex_unlock(&pool->lock);
}

struct request {
    int *result;
    int number;
};

static struct pool pool;

static void *serve(void *argument)
{
    int result = 0;
    struct request request = {&result, *(int *)argument};
    struct request *kept = pool_copy(&pool, &request);
    assert(kept);
    *kept->result += kept->number;
    pool_give_back(&pool, kept);
    pool_give_back(&pool, kept);
    assert(result == request.number);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {3, 4};
    pool_init(&pool, sizeof(struct request), 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serve, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(pool.blocks);
    return 0;
}
