// sley: reach=true race=true deadlock=true memory=true overflow=true
// A local that is written as a whole and read byte by byte.
#include <assert.h>

static unsigned char low(const void *place) { return *(const unsigned char *)place; }

int main(void)
{
    unsigned local = 0;
    unsigned char *bytes = (unsigned char *)&local;
    bytes[1] = 2;
    assert(local == 0x200);
    local = 0x304;
    assert(low(&local) == 4);
}
