// sley: reach=false race=true deadlock=true memory=true overflow=true
// A float that is copied keeps its bytes, even if it is a NaN with a payload of its own.
#include <assert.h>

union word {
    float real;
    unsigned bits;
} from, to;

int main(void)
{
    from.bits = 0x7fc00001u;
    float copy = from.real;
    to.real = copy;
    assert(to.bits != 0x7fc00001u);
    return 0;
}
