// sley: reach=true race=true deadlock=true memory=true overflow=true
// A pointer to a pointer removes a list node without a special case.
#include <assert.h>
#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

static void removed(struct node **link, int key)
{
    while (*link != NULL && (*link)->key != key)
        link = &(*link)->next;
    if (*link != NULL)
        *link = (*link)->next;
}

int main(void)
{
    struct node c = {3, NULL}, b = {2, &c}, a = {1, &b};
    struct node *head = &a;
    removed(&head, 2);
    assert(a.next == &c);
    removed(&head, 1);
    assert(head == &c);
    removed(&head, 9);
    assert(head->next == NULL);
    removed(&head, 3);
    assert(head == NULL);
    return 0;
}
