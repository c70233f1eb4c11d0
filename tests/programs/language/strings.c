// sley: reach=true race=true deadlock=true memory=true overflow=true
// String literals, arrays made of them, and the functions of <string.h>.
#include <assert.h>
#include <string.h>

char greeting[] = "hello";
const char *words[] = {"one", "three"};

int main(void)
{
    char copy[8];
    assert(sizeof greeting == 6 && strlen(greeting) == 5);
    greeting[0] = 'j';
    assert(strcmp(greeting, "jello") == 0 && strcmp("a", "b") < 0);
    strcpy(copy, words[1]);
    assert(copy[4] == 'e' && copy[5] == '\0');
    assert(strlen(words[0]) + strlen(copy) == 8);
    memset(copy, 'x', 3);
    assert(copy[2] == 'x' && copy[3] == 'e');
    memcpy(copy + 1, "yz", 2);
    assert(memcmp(copy, "xyzee", 6) == 0);
    assert(strchr(copy, 'z') == copy + 2 && strchr(copy, 'q') == NULL);
    return 0;
}
