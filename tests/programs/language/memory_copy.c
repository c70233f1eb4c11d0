// sley: reach=true race=true deadlock=true memory=true overflow=true
// `memcpy` copies whole scalars, pointers among them, and `memset` sets them, whatever lies between.
#include <assert.h>
#include <stddef.h>
#include <string.h>

struct entry {
    int *place;
    char name;
    int value;
};

int number = 3;
struct entry from, to;

int main(void)
{
    from.place = &number;
    from.name = 'n';
    from.value = 4;
    memcpy(&to, &from, sizeof from);
    assert(*to.place == 3 && to.name == 'n' && to.value == 4);
    memset(&to, 0, sizeof to);
    assert(to.place == NULL && to.name == 0 && to.value == 0);
    int old[4] = {1, 2, 3, 4}, new[4];
    memcpy(new, old, sizeof old);
    assert(new[3] == 4);
    memmove(new + 1, new, 3 * sizeof(int));
    assert(new[1] == 1 && new[3] == 3);
    return 0;
}
