// sley: reach=true race=true deadlock=true memory=true overflow=true
// An offset whose index is a variable is computed (a GNU extension that flexible blocks are allocated with).
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct list {
    int count;
    struct {
        short key;
        int value;
    } items[];
};

int main(void)
{
    for (int n = 1; n <= 2; n++) {
        struct list *list = malloc(offsetof(struct list, items[n]));
        if (!list)
            return 1;
        list->items[n - 1].value = n;
        assert(offsetof(struct list, items[n].value) == 8u * n + 8);
        free(list);
    }
    return 0;
}
