// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A shared array that grows under a mutex.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int *items, count;

void push(int item)
{
    pthread_mutex_lock(&mutex);
    items = realloc(items, (count + 1) * sizeof *items);
    items[count++] = item;
    pthread_mutex_unlock(&mutex);
}

void *worker(void *unused)
{
    push(1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    push(2);
    pthread_join(thread, 0);
    assert(count == 2 && items[0] + items[1] == 3);
    free(items);
    return 0;
}
