// sley: reach=true race=true deadlock=true memory=false overflow=true
// The block ends where the element that is written begins.
#include <stddef.h>
#include <stdlib.h>

struct list {
    int count;
    int items[];
};

int main(void)
{
    volatile int n = 2;
    struct list *list = malloc(offsetof(struct list, items[n]));
    if (!list)
        return 1;
    list->items[n] = 1;
    free(list);
    return 0;
}
