// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Strings are compared up to where they end or differ, and of results only the sign is known.
#include <assert.h>
#include <string.h>

static char shorter[2] = "a", longer[4] = "abc";

int main(void)
{
    assert(strncmp(shorter, longer, 100) < 0);
    assert(strcmp(longer, shorter) > 0);
    assert(strncmp(shorter, longer, 1) == 0);
    assert(memcmp(shorter, longer, 1) == 0 && memcmp(shorter, longer, 2) < 0);
    return 0;
}
