// sley: reach=true race=true deadlock=true memory=false overflow=true
// The node for a key that is in the tree already is forgotten.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

static void insert(struct node **where, int key)
{
    struct node *new = malloc(sizeof *new);
    if (!new)
        exit(1);
    *new = (struct node){.key = key};
    while (*where) {
        if (key == (*where)->key)
            return;
        where = key < (*where)->key ? &(*where)->left : &(*where)->right;
    }
    *where = new;
}

static unsigned destroy(struct node *tree)
{
    if (!tree)
        return 0;
    unsigned count = 1 + destroy(tree->left) + destroy(tree->right);
    free(tree);
    return count;
}

int main(void)
{
    struct node *tree = NULL;
    insert(&tree, 5);
    insert(&tree, 2);
    insert(&tree, 9);
    insert(&tree, 2);
    printf("%u nodes\n", destroy(tree));
    return 0;
}
