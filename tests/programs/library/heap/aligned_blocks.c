// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Aligned blocks start at multiples of their alignment and are freed as others.
#define _GNU_SOURCE
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *first;
    assert(posix_memalign((void **)&first, 64, 4 * sizeof *first) == 0);
    first[3] = 1;
    double *second = aligned_alloc(32, 2 * sizeof *second);
    second[1] = 2.0;
    char *third = memalign(16, 8);
    third[7] = 3;
    int *fourth = valloc(sizeof *fourth);
    *fourth = 4;
    assert((uintptr_t)first % 64 == 0 && (uintptr_t)second % 32 == 0 && (uintptr_t)third % 16 == 0);
    assert(first[3] == 1 && second[1] == 2.0 && third[7] == 3 && *fourth == 4);
    free(first);
    free(second);
    free(third);
    free(fourth);
    return 0;
}
