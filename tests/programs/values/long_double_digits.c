// sley: reach=true race=true deadlock=true memory=true overflow=true
// On x86 a long double has 64 bits of significand, eleven more than a double: a sum keeps what is small.
#include <assert.h>

int main(void)
{
    volatile long double one = 1.0L, small = 1.0L / 9223372036854775808.0L;
    long double sum = one + small;
    assert(sum > one);
    assert((double)sum == 1.0);
    volatile unsigned long long most = 18446744073709551615ull;
    long double exact = most;
    assert((unsigned long long)exact == most);
    assert(exact + 1.0L == 18446744073709551616.0L);
    return 0;
}
