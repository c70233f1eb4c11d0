// Sorting and searching with a comparison of the user's.
#include "sley.h"

typedef int (*comparison)(const void *, const void *);

static void swap_pointers(void **one, void **other)
{
    void *kept = *one;
    *one = *other;
    *other = kept;
}

static void swap_ints(int *one, int *other)
{
    int kept = *one;
    *one = *other;
    *other = kept;
}

static void swap_bytes(char *one, char *other, sley_size size)
{
    for (sley_size i = 0; i < size; i++) {
        char kept = one[i];
        one[i] = other[i];
        other[i] = kept;
    }
}

static void swap(char *one, char *other, sley_size size)
{
    if (size == sizeof(void *))
        swap_pointers((void **)one, (void **)other);
    else if (size == sizeof(int))
        swap_ints((int *)one, (int *)other);
    else
        swap_bytes(one, other, size);
}

// By insertion; equal elements end up in any order.
void qsort(void *base, sley_size count, sley_size size, comparison compare)
{
    char *first = base;
    for (sley_size i = 1; i < count; i++)
        for (sley_size j = i; j > 0; j--) {
            char *place = first + j * size;
            int order = compare(place - size, place);
            if (order < 0 || (order == 0 && __sley_nondet_bool()))
                break;
            swap(place - size, place, size);
        }
}

// Any of the elements that match.
void *bsearch(const void *key, const void *base, sley_size count, sley_size size, comparison compare)
{
    const char *first = base;
    sley_size low = 0, high = count;
    while (low < high) {
        sley_size middle = low + (high - low) / 2;
        int order = compare(key, first + middle * size);
        if (order == 0) {
            low = middle;
            while (low > 0 && __sley_nondet_bool() && compare(key, first + (low - 1) * size) == 0)
                low--;
            while (low + 1 < count && __sley_nondet_bool() && compare(key, first + (low + 1) * size) == 0)
                low++;
            return (void *)(first + low * size);
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
