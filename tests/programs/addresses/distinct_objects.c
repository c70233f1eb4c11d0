// sley: reach=true race=true deadlock=true memory=true overflow=true
// Live objects have different addresses, none is null, small numbers and -1 are none of them.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int a, b;
int row[3];

int main(void)
{
    int local;
    int *block = malloc(4);
    assert(&a != &b && &a != &local && &local != block && &row[2] != &b);
    assert(block && (uintptr_t)&a != 0);
    assert(block != (int *)-1 && &b != (int *)1);
    for (int *p = row; p != row + 3; p++)
        *p = 1;
    free(block);
    return 0;
}
