// sley: reach=true race=true deadlock=true memory=true overflow=true
// Numbers go into a tree by recursion, and the tree is measured and freed by recursion.
#include <assert.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *smaller, *larger;
};

static struct node *insert(struct node *tree, int key)
{
    if (!tree) {
        tree = malloc(sizeof *tree);
        tree->key = key;
        tree->smaller = tree->larger = NULL;
    } else if (key < tree->key)
        tree->smaller = insert(tree->smaller, key);
    else
        tree->larger = insert(tree->larger, key);
    return tree;
}

static int sum(const struct node *tree)
{
    return tree ? sum(tree->smaller) + tree->key + sum(tree->larger) : 0;
}

static void drop(struct node *tree)
{
    if (tree) {
        drop(tree->smaller);
        drop(tree->larger);
        free(tree);
    }
}

int main(void)
{
    struct node *tree = NULL;
    for (int i = 0; i < 4; i++)
        tree = insert(tree, (i * 3 + 2) % 4);
    assert(sum(tree) == 6);
    drop(tree);
    return 0;
}
