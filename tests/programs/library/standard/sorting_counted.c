// sley: unmodelled=true
// How often qsort compares, and in which order, nobody knows: no answer may rest on it.
#include <assert.h>
#include <stdlib.h>

static int comparisons;

static int order(const void *one, const void *other)
{
    comparisons++;
    return *(const char *)one - *(const char *)other;
}

int main(void)
{
    char letters[3] = {'c', 'a', 'b'};
    qsort(letters, 3, 1, order);
    assert(comparisons == 3);
    return 0;
}
