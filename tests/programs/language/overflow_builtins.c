// sley: reach=true race=true deadlock=true memory=true overflow=true
// `__builtin_add_overflow` and its family: the exact result, whatever the types, and whether it fits.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int i, largest = INT_MAX;
    unsigned u;
    long l;
    short s;
    unsigned char c;
    assert(__builtin_add_overflow(largest, 1, &i) && i == INT_MIN);
    assert(!__builtin_add_overflow(largest, 1, &l) && l == 2147483648L);
    assert(__builtin_sub_overflow(0u, 1u, &u) && u == UINT_MAX);
    assert(!__builtin_sub_overflow(0u, 1u, &l) && l == -1);
    assert(__builtin_mul_overflow(300, 200, &s));
    assert(!__builtin_mul_overflow(-3, -5, &c) && c == 15);
    assert(__builtin_mul_overflow(LONG_MIN, -1, &l) && l == LONG_MIN);
    assert(__builtin_sadd_overflow(largest, 1, &i) && __builtin_umul_overflow(65536u, 65536u, &u) && u == 0);
    assert(!__builtin_smull_overflow(4L, 5L, &l) && l == 20);
    return 0;
}
