// sley: reach=true race=true deadlock=true memory=true overflow=true
// Pages that are mapped are zero, belong to nobody's list of blocks, and need not be given back.
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>

struct table {
    int count;
    struct table *next;
};

int main(void)
{
    struct table *table = mmap(0, sizeof *table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED)
        return 1;
    assert(table->count == 0 && table->next == 0);
    table->next = table;
    table->next->count = 3;
    assert(table->count == 3);
    table = 0;
    return 0;
}
