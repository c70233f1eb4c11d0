// sley: reach=true race=true deadlock=true memory=true overflow=true
// Recursion as in textbooks: the greatest common divisor, a power, the towers of Hanoi.
#include <assert.h>

static unsigned gcd(unsigned a, unsigned b)
{
    return b == 0 ? a : gcd(b, a % b);
}

static unsigned power(unsigned base, unsigned exponent)
{
    if (exponent == 0)
        return 1;
    unsigned half = power(base, exponent / 2);
    return exponent % 2 ? half * half * base : half * half;
}

static unsigned moves(int discs, int from, int to, int by)
{
    if (discs == 0)
        return 0;
    return moves(discs - 1, from, by, to) + 1 + moves(discs - 1, by, to, from);
}

int main(void)
{
    assert(gcd(1071, 462) == 21);
    assert(gcd(17, 0) == 17);
    assert(power(3, 13) == 1594323);
    assert(moves(4, 0, 2, 1) == 15);
    return 0;
}
