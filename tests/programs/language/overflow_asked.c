// sley: reach=true race=true deadlock=true memory=true overflow=true
// `__builtin_add_overflow_p` and its kin say with an integer whether the result fits a type, here negated, added and passed.
#include <assert.h>
#include <limits.h>

static int as_given(int answer)
{
    return answer;
}

int main(void)
{
    int largest = INT_MAX;
    assert(!__builtin_add_overflow_p(largest, 1, (long)0));
    assert(__builtin_add_overflow_p(largest, 1, 0) + 1 == 2);
    assert(as_given(__builtin_sub_overflow_p(0u, 1u, 0u)) == 1);
    assert(-__builtin_mul_overflow_p(300, 200, (short)0) < 0);
    return 0;
}
