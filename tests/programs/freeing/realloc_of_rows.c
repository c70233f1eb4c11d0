// sley: reach=true race=true deadlock=true memory=true overflow=true
// What a block held is in the new one, also in long rows of members.
#include <assert.h>
#include <stdlib.h>

struct entry {
    int id;
    char name[64];
    short codes[40];
    struct entry *next;
};

int main(void)
{
    struct entry *all = malloc(2 * sizeof *all);
    for (int i = 0; i < 2; i++) {
        all[i].id = i;
        for (int k = 0; k < 64; k++)
            all[i].name[k] = (char)(i + k);
        for (int k = 0; k < 40; k++)
            all[i].codes[k] = (short)(100 * i + k);
        all[i].next = 0;
    }
    all = realloc(all, 3 * sizeof *all);
    for (int i = 0; i < 2; i++) {
        assert(all[i].id == i && all[i].next == 0);
        for (int k = 0; k < 64; k++)
            assert(all[i].name[k] == i + k);
        for (int k = 0; k < 40; k++)
            assert(all[i].codes[k] == 100 * i + k);
    }
    free(all);
    return 0;
}
