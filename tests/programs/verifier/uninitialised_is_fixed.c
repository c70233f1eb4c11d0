// sley: reach=true race=true deadlock=true memory=true overflow=true
// An uninitialised local variable holds the same unknown value at every reading.
#include <assert.h>

int main(void)
{
    unsigned char number;
    unsigned char first = number;
    unsigned char second = number;
    assert(first == second);
    return 0;
}
