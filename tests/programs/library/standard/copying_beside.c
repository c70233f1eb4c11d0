// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Parts that only touch do not overlap; memmove may be given any.
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[9] = "abcdxxxx";
    memcpy(text + 4, text, 4);
    memmove(text + 1, text, 3);
    assert(memcmp(text, "aabcabcd", 8) == 0);
    strcpy(text + 6, "z");
    memcpy(text, text, 0);
    assert(strcmp(text, "aabcabz") == 0);
    return 0;
}
