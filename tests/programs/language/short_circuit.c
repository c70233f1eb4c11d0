// sley: reach=true race=true deadlock=true memory=true overflow=true division=true
// The right operands of && and || and the other branch of ?: are not evaluated needlessly.
#include <assert.h>
#include <stddef.h>

int calls;

static int touch(int value)
{
    calls++;
    return value;
}

int main(void)
{
    int zero = 0, *nothing = NULL;
    assert(!(zero && touch(1)) && calls == 0);
    assert((1 || touch(1)) && calls == 0);
    assert((zero ? touch(5) : 6) == 6 && calls == 0);
    assert((touch(0), touch(2)) == 2 && calls == 2);
    if (nothing != NULL && *nothing == 1)
        assert(0);
    assert(zero == 0 || 10 / zero == 1);
    return 0;
}
