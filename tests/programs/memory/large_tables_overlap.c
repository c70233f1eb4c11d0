// sley: reach=true race=true deadlock=true memory=false overflow=true
// A copy of many elements that overlaps with where it goes is undefined (C11 7.24.2.1p2).
#include <string.h>

struct entry {
    int number;
    void *place;
};
static struct entry entries[300];

int main(void)
{
    memcpy(&entries[1], entries, 299 * sizeof *entries);
    return 0;
}
