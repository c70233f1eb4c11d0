// sley: reach=true race=true deadlock=true memory=false overflow=true
// A list is freed with the next node read from the one that is gone.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return list;
    n->value = value;
    n->next = list;
    return n;
}

static void clear(struct node *list)
{
    for (struct node *n = list; n; n = n->next)
        free(n);
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    clear(list);
    return 0;
}
