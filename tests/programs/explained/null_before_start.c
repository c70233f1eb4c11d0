// sley: reach=true race=true deadlock=true memory=false overflow=true
// A consumer looks at the head of a queue that is still empty.
// why: `queue.head` is NULL when consumer reads it .* it has not been written before
#include <pthread.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

static struct {
    pthread_mutex_t lock;
    struct item *head;
} queue = {PTHREAD_MUTEX_INITIALIZER, NULL};

static void *consumer(void *unused)
{
    pthread_mutex_lock(&queue.lock);
    struct item *item = queue.head;  // decisive
    queue.head = item->next;  // decisive
    pthread_mutex_unlock(&queue.lock);
    free(item);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    struct item *item = calloc(1, sizeof *item);
    if (!item)
        abort();
    pthread_mutex_lock(&queue.lock);
    queue.head = item;
    pthread_mutex_unlock(&queue.lock);
    pthread_join(thread, NULL);
    return 0;
}
