// sley: reach=true race=true deadlock=true memory=true overflow=true
// Anonymous memory is zero at first, and given back in the end.
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 4096 };

int main(void)
{
    unsigned char *page = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    assert(page[0] == 0 && page[SIZE - 1] == 0);
    memset(page, 0x5a, SIZE);
    assert(page[SIZE / 2] == 0x5a);
    page[SIZE - 1] = 1;
    if (munmap(page, SIZE) != 0)
        return 1;
    return 0;
}
