// sley: reach=true race=true deadlock=true memory=true overflow=true
// A binary tree grows by recursion, is summed up and freed by recursion.
#include <assert.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

static struct node *insert(struct node *tree, int key)
{
    if (!tree) {
        struct node *new = calloc(1, sizeof *new);
        if (!new)
            abort();
        new->key = key;
        return new;
    }
    if (key < tree->key)
        tree->left = insert(tree->left, key);
    else if (key > tree->key)
        tree->right = insert(tree->right, key);
    return tree;
}

static int depth(const struct node *tree)
{
    if (!tree)
        return 0;
    int left = depth(tree->left), right = depth(tree->right);
    return 1 + (left > right ? left : right);
}

static void destroy(struct node *tree)
{
    if (tree) {
        destroy(tree->left);
        destroy(tree->right);
        free(tree);
    }
}

int main(void)
{
    static const int keys[] = {50, 20, 70, 10, 30, 20, 60};
    struct node *tree = NULL;
    for (int i = 0; i < 7; i++)
        tree = insert(tree, keys[i]);
    assert(depth(tree) == 3);
    assert(tree->left->right->key == 30);
    destroy(tree);
    return 0;
}
