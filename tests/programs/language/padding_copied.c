// sley: reach=true race=true deadlock=true memory=true overflow=true
// Structures with holes are swapped byte by byte, there and by way of a buffer.
#include <assert.h>
#include <stddef.h>

struct person {
    char initial;
    int age;
};

static void swap(void *one, void *other, size_t size)
{
    for (unsigned char *a = one, *b = other; size--; a++, b++) {
        unsigned char byte = *a;
        *a = *b;
        *b = byte;
    }
}

static void copy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = ((const char *)from)[i];
}

int main(void)
{
    struct person first = {'a', 30}, second = {'b', 40};
    char buffer[sizeof first];
    swap(&first, &second, sizeof first);
    assert(first.initial == 'b' && second.age == 30);
    copy(buffer, &first, sizeof first);
    copy(&second, buffer, sizeof first);
    assert(second.initial == 'b' && second.age == 40);
    return 0;
}
