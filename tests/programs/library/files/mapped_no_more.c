// sley: reach=true race=true deadlock=true memory=false overflow=true
// A mapping is used after it was given back.
#define _GNU_SOURCE
#include <sys/mman.h>

int main(void)
{
    int *number = mmap(0, sizeof *number, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (number == MAP_FAILED)
        return 1;
    munmap(number, sizeof *number);
    return *number;
}
