// sley: reach=true race=true deadlock=true memory=true overflow=true
// Treiber's stack on the heap: nodes are freed only when nobody uses the stack any more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

_Atomic(struct node *) top;
_Atomic(struct node *) popped[2];

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = top;
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        ;
}

static struct node *pop(void)
{
    struct node *node = top;
    while (node && !atomic_compare_exchange_strong(&top, &node, node->next))
        ;
    return node;
}

void *worker(void *unused)
{
    push(1);
    popped[1] = pop();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    push(2);
    popped[0] = pop();
    pthread_join(thread, 0);
    assert(top == NULL && popped[0]->value + popped[1]->value == 3);
    free(popped[0]);
    free(popped[1]);
    return 0;
}
