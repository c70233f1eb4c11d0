// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Functions on strings that are not in the standard.
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    char text[16];
    char *end = stpcpy(text, "a:b");
    assert(end == text + 3 && *end == 0);
    assert(mempcpy(end, "::c", 4) == end + 4);
    assert(memrchr(text, ':', 6) == text + 4);
    assert(strchrnul(text, 'x') == text + 6);
    char *rest = text;
    assert(strcmp(strsep(&rest, ":"), "a") == 0);
    assert(strcmp(strsep(&rest, ":"), "b") == 0);
    assert(strcmp(strsep(&rest, ":"), "") == 0);
    assert(strcmp(strsep(&rest, ":"), "c") == 0 && rest == NULL);
    bzero(text, 2);
    assert(text[0] == 0);
    return 0;
}
