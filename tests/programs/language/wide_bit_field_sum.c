// sley: race=true deadlock=true memory=true overflow=true
// Whether a sum of a bit-field of 40 bits wraps is open: gcc computes in 40 bits, clang in the declared type.
#include <assert.h>

struct part {
    unsigned long long high : 40;
};

int main(void)
{
    struct part part = { 0 };
    part.high--;
    assert(part.high + 1 == 0);
    return 0;
}
