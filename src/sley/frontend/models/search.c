// Sorting and searching with a comparison of the user's.
#include "sley.h"

typedef int (*comparison)(const void *, const void *);

// By way of a variable, of the scalar that begins there; what is one is one in both.
#define SWAP_PIECE(type)                                                                                              \
    do {                                                                                                              \
        type kept = *(type *)(one + i);                                                                               \
        *(type *)(one + i) = *(type *)(other + i);                                                                    \
        *(type *)(other + i) = kept;                                                                                  \
        i += sizeof(type);                                                                                            \
    } while (0)

static void swap(char *one, char *other, sley_size size)
{
    for (sley_size i = 0; i < size;) {
        sley_size piece = __sley_piece(one + i);
        if (piece & __sley_piece(other + i) & SLEY_PADDING) {
            __sley_copy_padding(one + i, other + i);
            __sley_copy_padding(other + i, one + i);
            i++;
        } else if (piece == 8 && i + 8 <= size)
            SWAP_PIECE(unsigned long long);
        else if (piece == 4 && i + 4 <= size)
            SWAP_PIECE(unsigned int);
        else if (piece == 2 && i + 2 <= size)
            SWAP_PIECE(unsigned short);
        else
            SWAP_PIECE(char);
    }
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
