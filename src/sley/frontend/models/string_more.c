// Functions on strings and blocks of memory that POSIX, BSD or GNU add to those of C.
#include "sley.h"

sley_size strlen(const char *text);
sley_size strnlen(const char *text, sley_size most);
char *strchr(const char *text, int value);
char *strrchr(const char *text, int value);
int memcmp(const void *one, const void *other, sley_size size);
void *memset(void *to, int value, sley_size size);

char *index(const char *text, int value)
{
    return strchr(text, value);
}

char *rindex(const char *text, int value)
{
    return strrchr(text, value);
}

int bcmp(const void *one, const void *other, sley_size size)
{
    return memcmp(one, other, size);
}

void explicit_bzero(void *block, sley_size size)
{
    memset(block, 0, size);
}

static _Bool begins_with(const char *block, const char *part, sley_size size)
{
    for (sley_size i = 0; i < size; i++)
        if (block[i] != part[i])
            return 0;
    return 1;
}

void *memmem(const void *block, sley_size size, const void *part, sley_size length)
{
    const char *bytes = block;
    for (sley_size i = 0; i + length <= size; i++)
        if (begins_with(bytes + i, part, length))
            return (void *)(bytes + i);
    return 0;
}

void *memccpy(void *to, const void *from, int value, sley_size size)
{
    char *target = to;
    const char *source = from;
    for (sley_size i = 0; i < size; i++) {
        char character = source[i];
        target[i] = character;
        if ((unsigned char)character == (unsigned char)value)
            return target + i + 1;
    }
    return 0;
}

void *rawmemchr(const void *block, int value)
{
    const unsigned char *byte = block;
    while (*byte != (unsigned char)value)
        byte++;
    return (void *)byte;
}

char *stpncpy(char *to, const char *from, sley_size size)
{
    sley_size length = strnlen(from, size);
    for (sley_size i = 0; i < size; i++)
        to[i] = i < length ? from[i] : 0;
    return to + length;
}

sley_size strlcat(char *to, const char *from, sley_size size)
{
    sley_size length = strnlen(to, size), added = strlen(from);
    if (length == size)
        return size + added;
    sley_size kept = added < size - length ? added : size - length - 1;
    for (sley_size i = 0; i < kept; i++)
        to[length + i] = from[i];
    to[length + kept] = 0;
    return length + added;
}

static char small(char character)
{
    return 'A' <= character && character <= 'Z' ? character + 32 : character;
}

char *strcasestr(const char *text, const char *part)
{
    for (;; text++) {
        sley_size i = 0;
        while (part[i] && small(text[i]) == small(part[i]))
            i++;
        if (!part[i])
            return (char *)text;
        if (!*text)
            return 0;
    }
}

// --- messages ---------------------------------------------------------------------------------------
// Which message it is, is not known.

// How much of a message of any length fits; the rest of the target stays.
static _Bool write_message(char *target, sley_size size)
{
    sley_size at = 0;
    for (; at + 1 < size && __sley_nondet_bool(); at++) {
        char character = __sley_unknown_char("strerror_r");
        __sley_assume(character != 0);
        target[at] = character;
    }
    if (size)
        target[at] = 0;
    return at + 1 < size;
}

int __xpg_strerror_r(int number, char *target, sley_size size)
{
    _Bool fits = write_message(target, size);
    return !fits ? SLEY_ERANGE : __sley_nondet_bool() ? 0 : SLEY_EINVAL;
}

// GNU's returns the target or a text of its own.
char *strerror_r(int number, char *target, sley_size size)
{
    if (__sley_nondet_bool())
        return __sley_text("strerror");
    write_message(target, size);
    return target;
}
