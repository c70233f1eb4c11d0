// sley: reach=true race=true deadlock=true memory=false overflow=true
// Mapped memory is no block of malloc, and must not be freed as one.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

int main(void)
{
    int *number = mmap(0, sizeof *number, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (number == MAP_FAILED)
        return 1;
    free(number);
    return 0;
}
