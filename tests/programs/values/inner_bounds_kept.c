// sley: reach=true race=true deadlock=true memory=true overflow=true
// Pointers past the end that nobody follows, whole objects seen as bytes, trailing arrays in blocks: all fine.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int values[4];
    int tail;
};

struct tail_of_one {
    int count;
    int values[1];
};

struct tail_of_none {
    int count;
    int values[0];
};

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

static int sum(const int *from, const int *to)
{
    int total = 0;
    while (from != to)
        total += *from++;
    return total;
}

int main(void)
{
    struct item item = {{1, 2, 3, 4}, 5};
    assert(sum(item.values, &item.values[4]) == 10);
    int *last = &item.values[3];
    assert(container_of(last, struct item, values[3])->tail == 5);
    struct item copy;
    memcpy(&copy, &item, sizeof copy);
    unsigned char *bytes = (unsigned char *)&copy;
    for (size_t i = 0; i < sizeof copy; i++)
        bytes[i] = 0;
    assert(copy.tail == 0 && copy.values[3] == 0);
    int matrix[2][2] = {{1, 2}, {3, 4}};
    assert(&matrix[0][2] == &matrix[1][0]);
    assert(sizeof matrix[0][7] == sizeof(int));
    struct tail_of_one *one = malloc(sizeof *one + 2 * sizeof(int));
    struct tail_of_none *none = malloc(sizeof *none + 2 * sizeof(int));
    if (one && none) {
        for (int i = 0; i < 3; i++)
            one->values[i] = i;
        for (int i = 0; i < 2; i++)
            none->values[i] = one->values[i + 1];
        assert(none->values[1] == 2);
    }
    free(one);
    free(none);
    return 0;
}
