// sley: reach=true race=true deadlock=true memory=true overflow=true
// Floating point is IEEE: exact where it is exact, rounded where it is not.
#include <assert.h>

int main(void)
{
    float half = 0.5f;
    double tenth = 0.1;
    assert(half + 0.25f == 0.75f);
    assert(tenth + 0.2 != 0.3);
    assert((int)3.99 == 3 && (int)-3.99 == -3);
    assert((float)16777217 == 16777216.0f);
    assert(1 / 2 == 0 && 1 / 2.0 == half);
    return 0;
}
