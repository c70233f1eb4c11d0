// sley: reach=true race=false deadlock=true memory=true overflow=true
// A race on a heap block that both threads reach through different pointers.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int key, value;
};

void *worker(void *node)
{
    ((struct node *)node)->value = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct node *node = malloc(sizeof *node);
    int *value = &node->value;
    pthread_create(&thread, 0, worker, node);
    *value = 2;
    pthread_join(thread, 0);
    free(node);
    return 0;
}
