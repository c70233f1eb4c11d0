// Functions that are instructions, for programs that call them through a pointer, such as a list that is told to
// `free` its elements. Each body calls the function by its name, which is the instruction.
#include <stdio.h>
#include <stdlib.h>

void *malloc(size_t size)
{
    return malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return realloc(block, size);
}

void free(void *block)
{
    free(block);
}

void abort(void)
{
    abort();
}

int puts(const char *text)
{
    return puts(text);
}

int putchar(int character)
{
    return putchar(character);
}
