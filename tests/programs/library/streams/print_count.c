// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What %n stores is the number of characters so far (C11 7.21.6.1p8).
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int first = 0, second = 0;
    char buffer[16];
    const char *word = "two";
    printf("ab%n%d%s%n\n", &first, 123, word, &second);
    assert(first == 2 && second == 8);
    snprintf(buffer, sizeof buffer, "%5d%n", 1, &first);
    assert(first == 5);
    return 0;
}
