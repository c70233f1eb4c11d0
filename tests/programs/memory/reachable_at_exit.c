// sley: reach=true race=true deadlock=true memory=true overflow=true
// Blocks that a global still leads to at the end are not leaked, also through other blocks.
#include <stdlib.h>

struct node {
    struct node *next;
};

struct node *list;

int main(void)
{
    list = malloc(sizeof(struct node));
    list->next = malloc(sizeof(struct node));
    list->next->next = NULL;
    return 0;
}
