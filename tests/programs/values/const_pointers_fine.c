// sley: reach=true race=true deadlock=true memory=true overflow=true
// Const in the type of a pointer says nothing about what it points to: these objects may be written.
#include <assert.h>
#include <stdlib.h>

struct pair {
    int first, second;
};

static void fill(const struct pair *pair)
{
    ((struct pair *)pair)->second = 2;
}

static int total(const int count)
{
    const int local[2] = {count, 4};
    const struct pair fixed = {local[0], 1};
    const struct pair copy = fixed;
    const int *inner = &copy.first;
    return *inner + local[1];
}

int main(void)
{
    struct pair pair = {1, 1};
    fill(&pair);
    const int *block = malloc(sizeof(int));
    if (block) {
        *(int *)block = 5;
        assert(*block == 5);
    }
    free((void *)block);
    for (int i = 0; i < 2; i++) {
        const int round = i;
        const int *p = &round;
        assert(*p == i);
    }
    static const char *const names[] = {"a", "b"};
    assert(names[1][0] == 'b' && pair.second == 2 && total(3) == 7);
    return 0;
}
