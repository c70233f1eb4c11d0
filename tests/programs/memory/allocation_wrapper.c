// sley: reach=true race=true deadlock=true memory=true overflow=true
// Memory comes from a function of the program's own that calls malloc and never returns null.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static void *allocate(size_t size)
{
    void *block = malloc(size);
    if (block == NULL)
        abort();
    return block;
}

static struct node *pushed(struct node *list, int value)
{
    struct node *node = allocate(sizeof(struct node));
    node->next = list;
    node->value = value;
    return node;
}

static void *worker(void *argument)
{
    struct node *list = argument;
    int *sum = allocate(sizeof(int));
    *sum = 0;
    for (struct node *node = list; node != NULL; node = node->next)
        *sum += node->value;
    return sum;
}

int main(void)
{
    struct node *list = pushed(pushed(NULL, 1), 2);
    pthread_t thread;
    void *sum;
    pthread_create(&thread, NULL, worker, list);
    pthread_join(thread, &sum);
    assert(*(int *)sum == 3);
    free(sum);
    free(list->next);
    free(list);
    return 0;
}
