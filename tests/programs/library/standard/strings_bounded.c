// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Functions on strings that are told how far they may go.
#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    char text[8];
    assert(strncpy(text, "abc", 6) == text && memcmp(text, "abc\0\0\0", 6) == 0);
    strncpy(text, "abcdefgh", 4);
    assert(text[3] == 'd');
    text[4] = 0;
    strncat(text, "xyz", 2);
    assert(strcmp(text, "abcdxy") == 0);
    assert(strncmp(text, "abcq", 3) == 0 && strncmp(text, "abcq", 4) < 0);
    assert(strnlen(text, 3) == 3 && strnlen(text, 100) == 6);
    assert(memchr(text, 'd', 8) == text + 3 && memchr(text, 'd', 3) == NULL);
    bcopy(text, text + 1, 4);
    assert(strncmp(text, "aabcd", 5) == 0);
    assert(strncasecmp("ABc", "abD", 2) == 0 && strcasecmp("ABc", "abC") == 0);
    assert(strerror(2) != NULL);
    return 0;
}
