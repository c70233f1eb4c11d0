// sley: reach=true race=true deadlock=true memory=true overflow=true
// Functions on strings that POSIX, BSD and GNU add.
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <strings.h>

char *index(const char *, int), *rindex(const char *, int);

int main(void)
{
    const char *text = "a,b,c";
    char word[8] = "ab";
    assert(memmem(text, 5, ",b", 2) == text + 1 && !memmem(text, 5, ",x", 2));
    assert(index(text, ',') == text + 1 && rindex(text, ',') == text + 3 && !bcmp(text, "a,", 2));
    strncat(word, "cdefgh", 5);
    assert(!strcmp(word, "abcdefg"));
    assert(stpncpy(word, "xy", 4) == word + 2 && word[3] == 0 && word[4] == 'e');
    assert(strcasestr("Hello", "LL") && !strcasestr("Hello", "lx"));
    assert(memccpy(word, "abc", 'b', 3) == word + 2 && !memccpy(word, "abc", 'z', 3));
    return 0;
}
