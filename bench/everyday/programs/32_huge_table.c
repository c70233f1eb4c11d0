// sley: reach=true race=true deadlock=true memory=true overflow=true
// A table that is too large is refused by calloc, and the tool goes on with a small one.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static unsigned *table(size_t entries)
{
    return calloc(entries, sizeof(unsigned));
}

int main(void)
{
    size_t entries = SIZE_MAX / 2;
    unsigned *counts = table(entries);
    if (!counts) {
        entries = 16;
        counts = table(entries);
        if (!counts)
            return 1;
    }
    assert(entries == 16);
    assert(counts[15] == 0);
    counts[15] = 7;
    free(counts);
    return 0;
}
