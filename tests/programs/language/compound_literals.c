// sley: reach=true race=true deadlock=true memory=true overflow=true
// Compound literals, static assertions and generic selection.
#include <assert.h>

struct point {
    int x, y;
};

_Static_assert(sizeof(struct point) == 8, "two ints");

static int sum(struct point p)
{
    return p.x + p.y;
}

static int first(const int *numbers)
{
    return numbers[0];
}

#define KIND(value) _Generic((value), int: 1, long: 2, default: 3)

int main(void)
{
    assert(sum((struct point){3, 4}) == 7);
    assert(first((int[]){9, 8}) == 9);
    struct point *p = &(struct point){.y = 2};
    p->x = 5;
    assert(sum(*p) == 7);
    assert(KIND(1) == 1 && KIND(1L) == 2 && KIND("text") == 3);
    return 0;
}
