// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two objects may fall into the same bucket, or not: a hash of addresses tells nothing.
#include <assert.h>
#include <stdint.h>

int a, b;

unsigned bucket(int *p) { return (unsigned)(((uintptr_t)p * 0x9e3779b97f4a7c15u) >> 60); }

int main(void)
{
    assert(bucket(&a) != bucket(&b));
    return 0;
}
