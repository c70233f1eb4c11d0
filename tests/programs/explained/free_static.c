// sley: reach=true race=true deadlock=true memory=false overflow=true
// A list starts with a node that was never allocated, and the clean-up frees them all.
// why: `first` was not allocated
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node first;
static struct node *head = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    node->value = (int)(long)value;
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, (void *)1L);
    pthread_join(thread, NULL);
    while (head) {
        struct node *next = head->next;
        free(head);  // decisive
        head = next;
    }
    return 0;
}
