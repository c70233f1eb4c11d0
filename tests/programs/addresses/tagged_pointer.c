// sley: reach=true race=true deadlock=true memory=true overflow=true
// The low bit of the address of an int is free for a mark; taken off again, the pointer is as before.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

_Atomic uintptr_t word;

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 5;
    word = (uintptr_t)p;
    atomic_fetch_or(&word, 1);
    assert(word & 1);
    assert(((uintptr_t)p & 3) == 0);
    int *q = (int *)(word & ~(uintptr_t)1);
    assert(q == p && *q == 5);
    free(q);
    return 0;
}
