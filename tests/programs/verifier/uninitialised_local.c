// sley: reach=false race=true deadlock=true memory=true overflow=true
// An uninitialised local variable holds anything.
#include <assert.h>

int main(void)
{
    unsigned char number;
    assert(number != 77);
    return 0;
}
