// sley: reach=true race=true deadlock=true memory=true overflow=true
// A marker is found in a block of bytes with zeroes in it.
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <strings.h>

static const char block[] = "GIF89a\0\0;\0trailer=12";

int main(void)
{
    const char *marker = memmem(block, sizeof block, "trailer=", 8);
    assert(marker != NULL);
    assert(marker - block == 10);
    assert(strcmp(marker + 8, "12") == 0);
    assert(memmem(block, 8, "trailer", 7) == NULL);
    assert(memmem(block, sizeof block, "", 0) == block);
    const char *equals = index(marker, '=');
    assert(equals == marker + 7);
    assert(rindex(block, 'G') == block);
    assert(index(block, '8')[1] == '9');
    return 0;
}
