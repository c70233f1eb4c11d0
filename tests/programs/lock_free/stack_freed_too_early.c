// sley: reach=true race=false deadlock=true memory=false overflow=true
// Two threads pop from one stack and free at once: the slower one looks into a freed node.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
};

_Atomic(struct node *) top;

static void pop(void)
{
    struct node *node = top;
    while (node && !atomic_compare_exchange_strong(&top, &node, node->next))
        ;
    free(node);
}

void *popper(void *unused)
{
    pop();
    return 0;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = top;
        top = node;
    }
    pthread_create(&thread, 0, popper, 0);
    pop();
    pthread_join(thread, 0);
    return 0;
}
