// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Numbers, strings and characters are sorted and found again.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int by_number(const void *one, const void *other)
{
    int a = *(const int *)one, b = *(const int *)other;
    return (a > b) - (a < b);
}

int by_text(const void *one, const void *other)
{
    return strcmp(*(const char **)one, *(const char **)other);
}

int by_character(const void *one, const void *other)
{
    return *(const char *)one - *(const char *)other;
}

int main(void)
{
    int numbers[] = {3, -1, 2}, key = 2, missing = 5;
    qsort(numbers, 3, sizeof *numbers, by_number);
    assert(numbers[0] == -1 && numbers[1] == 2 && numbers[2] == 3);
    assert(bsearch(&key, numbers, 3, sizeof *numbers, by_number) == &numbers[1]);
    assert(bsearch(&missing, numbers, 3, sizeof *numbers, by_number) == NULL);
    const char *words[] = {"b", "a"};
    qsort(words, 2, sizeof *words, by_text);
    assert(words[0][0] == 'a' && words[1][0] == 'b');
    char letters[] = "cab";
    qsort(letters, 3, 1, by_character);
    assert(strcmp(letters, "abc") == 0);
    return 0;
}
