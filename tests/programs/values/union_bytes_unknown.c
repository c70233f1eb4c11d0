// sley: reach=false race=true deadlock=true memory=true overflow=true
// Storing a small member leaves the bytes behind it unspecified.
#include <assert.h>

union mixed {
    unsigned whole;
    unsigned char first;
};

int main(void)
{
    union mixed mixed;
    mixed.first = 1;
    assert(mixed.whole == 1);
    return 0;
}
