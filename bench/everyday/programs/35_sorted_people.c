// sley: reach=true race=true deadlock=true memory=true overflow=true
// Structures with holes in them are sorted by one member, then by another.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char initial;
    int age;
    short room;
};

static int by_age(const void *left, const void *right)
{
    const struct person *a = left, *b = right;
    if (a->age != b->age)
        return a->age < b->age ? -1 : 1;
    return (a->initial > b->initial) - (a->initial < b->initial);
}

int main(void)
{
    struct person people[] = {{'m', 41, 12}, {'a', 29, 7}, {'k', 41, 3}, {'z', 5, 12}};
    size_t count = sizeof people / sizeof people[0];
    qsort(people, count, sizeof people[0], by_age);
    for (size_t i = 1; i < count; i++)
        assert(by_age(&people[i - 1], &people[i]) < 0);
    assert(people[0].room == 12 && people[2].room == 3);
    return 0;
}
