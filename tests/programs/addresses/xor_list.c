// sley: memory=false
// A node that is known only as the exclusive or of two addresses is freed; then it is used.
#include <stdint.h>
#include <stdlib.h>

struct node { uintptr_t link; int value; };

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->link = (uintptr_t)a ^ (uintptr_t)b;
    free((void *)(a->link ^ (uintptr_t)a));
    b->value = 1;
    free(a);
    return 0;
}
