// sley: reach=true race=true deadlock=true memory=true overflow=true
// A list is built by two threads under a mutex, then summed and freed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct node *list;

static void add(int value)
{
    struct node *node = malloc(sizeof(struct node));
    node->value = value;
    pthread_mutex_lock(&lock);
    node->next = list;
    list = node;
    pthread_mutex_unlock(&lock);
}

void *worker(void *unused)
{
    add(1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    add(2);
    pthread_join(thread, 0);
    int sum = 0;
    while (list) {
        struct node *node = list;
        sum += node->value;
        list = node->next;
        free(node);
    }
    assert(sum == 3);
    return 0;
}
