// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// pthread_exit runs the cleanup handlers that are pushed, the latest first; the mutex is free afterwards.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int order;

void first(void *digit)
{
    order = 10 * order + *(int *)digit;
}

void give_up(void)
{
    pthread_exit(&order);
}

void *worker(void *unused)
{
    int one = 1;
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &mutex);
    pthread_cleanup_push(first, &one);
    int two = 2;
    pthread_cleanup_push(first, &two);
    give_up();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    assert(order == 0 || order == 21);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, &result);
    assert(result == &order && order == 21);
    return 0;
}
