// Strings and blocks of memory, byte by byte: the bytes are the user's, and accesses to them can race.
#include "sley.h"

// What is copied must not overlap with where it goes, except by `memmove` (C11 7.24.2.1p2).
static void require_apart(const char *to, const char *from, sley_size size)
{
    if (!__sley_is_same_object(to, from))
        return;
    sley_size target = __sley_offset(to), source = __sley_offset(from);
    sley_size distance = target < source ? source - target : target - source;
    __sley_check(distance >= size, "deref", "overlap", "copy between objects that overlap");
}

// The same for strings, whose size shows only at their end: where the copy is must not meet where the other began.
static void require_not_met(const char *to, const char *from, sley_size at)
{
    sley_size target = __sley_offset(to), source = __sley_offset(from);
    _Bool is_met = target + at == source || source + at == target;
    __sley_check(!is_met, "deref", "overlap", "copy between strings that overlap");
}

// How much is moved at once, of so much that is left: the scalar that begins where it is read, or else written.
static sley_size first_piece(const char *to, const char *from, sley_size left)
{
    sley_size size = __sley_piece(from), other = __sley_piece(to);
    if (size & SLEY_PADDING)
        size = !(other & SLEY_PADDING) ? 1 : size < other ? size : other;
    else if (size == 1 && !(other & SLEY_PADDING))
        size = other;
    return (size & ~SLEY_PADDING) <= left ? size : 1;
}

#define MOVE(type, at) (*(type *)(to + (at)) = *(const type *)(from + (at)))
#define MOVE_PIECE(size, at)                                                                                          \
    do {                                                                                                              \
        if ((size) == 8)                                                                                              \
            MOVE(unsigned long long, at);                                                                             \
        else if ((size) == 4)                                                                                         \
            MOVE(unsigned int, at);                                                                                   \
        else if ((size) == 2)                                                                                         \
            MOVE(unsigned short, at);                                                                                 \
        else                                                                                                          \
            MOVE(char, at);                                                                                           \
    } while (0)

static void copy(char *to, const char *from, sley_size size)
{
    sley_size piece;
    for (sley_size i = 0; i < size; i += piece) {
        piece = first_piece(to + i, from + i, size - i);
        if (piece & SLEY_PADDING) {
            piece &= ~SLEY_PADDING;
            __sley_copy_padding(to + i + piece - 1, from + i + piece - 1);
        } else
            MOVE_PIECE(piece, i);
    }
}

void *memcpy(void *to, const void *from, sley_size size)
{
    require_apart(to, from, size);
    copy(to, from, size);
    return to;
}

static _Bool is_piece(const char *to, const char *from, sley_size size)
{
    return __sley_piece(from) == size || __sley_piece(to) == size;
}

// The scalar that ends there.
static sley_size last_piece(const char *to, const char *from, sley_size left)
{
    if (left >= 8 && is_piece(to + left - 8, from + left - 8, 8))
        return 8;
    if (left >= 4 && is_piece(to + left - 4, from + left - 4, 4))
        return 4;
    return left >= 2 && is_piece(to + left - 2, from + left - 2, 2) ? 2 : 1;
}

static void copy_from_the_end(char *to, const char *from, sley_size size)
{
    while (size > 0) {
        sley_size piece = last_piece(to, from, size);
        size -= piece;
        if (__sley_piece(from + size) & __sley_piece(to + size) & SLEY_PADDING)
            __sley_copy_padding(to + size, from + size);
        else
            MOVE_PIECE(piece, size);
    }
}

void *memmove(void *to, const void *from, sley_size size)
{
    if (!__sley_is_same_object(to, from) || __sley_offset(to) <= __sley_offset(from))
        copy(to, from, size);
    else
        copy_from_the_end(to, from, size);
    return to;
}

void *memset(void *to, int value, sley_size size)
{
    char *target = to;
    unsigned long long bytes = 0x0101010101010101ull * (unsigned char)value;
    for (sley_size i = 0; i < size;) {
        sley_size piece = __sley_piece(target + i) & ~SLEY_PADDING;
        if (piece > size - i)
            piece = 1;
        if (piece == 8)
            *(unsigned long long *)(target + i) = bytes;
        else if (piece == 4)
            *(unsigned int *)(target + i) = (unsigned int)bytes;
        else if (piece == 2)
            *(unsigned short *)(target + i) = (unsigned short)bytes;
        else
            target[i] = (char)bytes;
        i += piece;
    }
    return to;
}

// Of what a comparison returns only the sign is known.
static int any_of_sign(int sign)
{
    if (sign == 0)
        return 0;
    int value = __sley_nondet_int();
    __sley_assume(sign < 0 ? value < 0 : value > 0);
    return value;
}

// All bytes are read, also those behind the first that differ.
int memcmp(const void *one, const void *other, sley_size size)
{
    const unsigned char *left = one, *right = other;
    int sign = 0;
    for (sley_size i = 0; i < size; i++) {
        unsigned char a = left[i], b = right[i];
        if (sign == 0 && a != b)
            sign = a < b ? -1 : 1;
    }
    return any_of_sign(sign);
}

void *memchr(const void *block, int value, sley_size size)
{
    const unsigned char *bytes = block;
    for (sley_size i = 0; i < size; i++)
        if (bytes[i] == (unsigned char)value)
            return (void *)(bytes + i);
    return 0;
}

static sley_size unknown_length(void)
{
    sley_size length = __sley_unknown_ulong("strlen");
    __sley_assume(length <= SLEY_LONGEST_TEXT);
    return length;
}

sley_size strlen(const char *text)
{
    if (__sley_is_text(text))
        return unknown_length();
    if (__sley_is_argument(text))
        return sley_argument_length(text);
    sley_size length = 0;
    while (text[length])
        length++;
    return length;
}

sley_size strnlen(const char *text, sley_size most)
{
    if (most && (__sley_is_text(text) || __sley_is_argument(text))) {
        sley_size known = strlen(text);
        return known < most ? known : most;
    }
    sley_size length = 0;
    while (length < most && text[length])
        length++;
    return length;
}

// How many there are does not depend on what they are: whether there is room is seen before any is looked at.
static void copy_argument(char *to, const char *from)
{
    sley_size length = sley_argument_length(from);
    to[length] = 0;
    for (sley_size i = 0; i < length; i++)
        to[i] = from[i];
}

char *strcpy(char *to, const char *from)
{
    sley_size i = 0;
    char character;
    if (__sley_is_argument(from)) {
        copy_argument(to, from);
        return to;
    }
    _Bool may_overlap = __sley_is_same_object(to, from);
    do {
        if (may_overlap)
            require_not_met(to, from, i);
        character = from[i];
        to[i] = character;
        i++;
    } while (character);
    return to;
}

char *strncpy(char *to, const char *from, sley_size size)
{
    sley_size i = 0;
    _Bool may_overlap = __sley_is_same_object(to, from);
    for (; i < size; i++) {
        if (may_overlap)
            require_not_met(to, from, i);
        char character = from[i];
        to[i] = character;
        if (!character)
            break;
    }
    for (; i < size; i++) {
        if (may_overlap)
            require_not_met(to, from, i);
        to[i] = 0;
    }
    return to;
}

// The string that is appended may lie behind the end of the other.
char *strncat(char *to, const char *from, sley_size most)
{
    sley_size length = strlen(to);
    if (__sley_is_argument(from) && sley_argument_length(from) <= most) {
        copy_argument(to + length, from);
        return to;
    }
    sley_size i = 0;
    _Bool may_overlap = __sley_is_same_object(to, from);
    if (may_overlap)
        for (sley_size at = 0; at < length; at++)
            __sley_check(__sley_offset(to + at) != __sley_offset(from), "deref", "overlap", "copy between strings that overlap");
    for (; i < most; i++) {
        char character = from[i];
        if (may_overlap)
            require_not_met(to + length, from, i);
        if (!character)
            break;
        to[length + i] = character;
    }
    if (may_overlap)
        require_not_met(to + length, from, i);
    to[length + i] = 0;
    return to;
}

char *strcat(char *to, const char *from)
{
    return strncat(to, from, (sley_size)-1);
}

static int sign_of_order(const char *one, const char *other, sley_size most)
{
    for (sley_size i = 0; i < most; i++) {
        unsigned char a = one[i], b = other[i];
        if (a != b)
            return a < b ? -1 : 1;
        if (!a)
            return 0;
    }
    return 0;
}

int strncmp(const char *one, const char *other, sley_size most)
{
    if (most && (__sley_is_text(one) || __sley_is_text(other))) {
        strnlen(one, most);
        strnlen(other, most);
        return __sley_unknown_int("strcmp");
    }
    return any_of_sign(sign_of_order(one, other, most));
}

int strcmp(const char *one, const char *other)
{
    return strncmp(one, other, (sley_size)-1);
}

char *strchr(const char *text, int value)
{
    for (;; text++) {
        char character = *text;
        if (character == (char)value)
            return (char *)text;
        if (!character)
            return 0;
    }
}

char *strrchr(const char *text, int value)
{
    const char *last = 0;
    for (;; text++) {
        char character = *text;
        if (character == (char)value)
            last = text;
        if (!character)
            return (char *)last;
    }
}

char *strstr(const char *text, const char *part)
{
    sley_size length = strlen(part);
    for (;; text++) {
        if (sign_of_order(text, part, length) == 0)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

_Bool sley_is_foreign(int category);

enum { COLLATION = 3 };

// As the locale orders them; strings that differ may be equal there.
int strcoll(const char *one, const char *other)
{
    int order = strcmp(one, other);
    return sley_is_foreign(COLLATION) ? __sley_unknown_int("strcoll") : order;
}

sley_size strxfrm(char *to, const char *from, sley_size size)
{
    if (sley_is_foreign(COLLATION))
        __sley_give_up("the order of strings in another locale than \"C\"");
    sley_size length = strlen(from);
    if (length < size)
        strcpy(to, from);
    return length;
}

static _Bool is_one_of(char character, const char *set)
{
    for (;; set++) {
        char member = *set;
        if (!member)
            return 0;
        if (member == character)
            return 1;
    }
}

sley_size strspn(const char *text, const char *set)
{
    sley_size length = 0;
    for (;; length++) {
        char character = text[length];
        if (!character || !is_one_of(character, set))
            return length;
    }
}

sley_size strcspn(const char *text, const char *set)
{
    sley_size length = 0;
    for (;; length++) {
        char character = text[length];
        if (!character || is_one_of(character, set))
            return length;
    }
}

char *strpbrk(const char *text, const char *set)
{
    const char *found = text + strcspn(text, set);
    return *found ? (char *)found : 0;
}

char *strtok_r(char *text, const char *separators, char **rest)
{
    if (!text)
        text = *rest;
    text += strspn(text, separators);
    char *end = text + strcspn(text, separators);
    _Bool is_empty = text == end;
    if (*end)
        *end++ = 0;
    *rest = end;
    return is_empty ? 0 : text;
}

// One position for all threads, accessed plainly: concurrent calls race.
char *strtok(char *text, const char *separators)
{
    static char *sley_rest;
    return strtok_r(text, separators, &sley_rest);
}

static int small(unsigned char character)
{
    return 'A' <= character && character <= 'Z' ? character + 32 : character;
}

int strncasecmp(const char *one, const char *other, sley_size most)
{
    if (most && (__sley_is_text(one) || __sley_is_text(other))) {
        strnlen(one, most);
        strnlen(other, most);
        return __sley_unknown_int("strcasecmp");
    }
    for (sley_size i = 0; i < most; i++) {
        int a = small(one[i]), b = small(other[i]);
        if (a != b)
            return any_of_sign(a < b ? -1 : 1);
        if (!a)
            return 0;
    }
    return 0;
}

int strcasecmp(const char *one, const char *other)
{
    return strncasecmp(one, other, (sley_size)-1);
}

void *malloc(sley_size size);

char *strdup(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : 0;
}

char *strndup(const char *text, sley_size most)
{
    sley_size length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (!copy)
        return 0;
    for (sley_size i = 0; i < length; i++)
        copy[i] = text[i];
    copy[length] = 0;
    return copy;
}

// One text for all calls, written plainly: concurrent ones race (C11 7.24.6.2p3).
static void reuse_message(void)
{
    static char sley_message;
    sley_message = 0;
}

char *strerror(int number)
{
    reuse_message();
    return __sley_text("strerror");
}

char *strsignal(int number)
{
    reuse_message();
    return __sley_text("strsignal");
}

// --- what is not in the standard --------------------------------------------------------------------

char *stpcpy(char *to, const char *from)
{
    strcpy(to, from);
    return to + strlen(to);
}

void *mempcpy(void *to, const void *from, sley_size size)
{
    memcpy(to, from, size);
    return (char *)to + size;
}

void *memrchr(const void *block, int value, sley_size size)
{
    const unsigned char *bytes = block;
    for (sley_size i = size; i > 0; i--)
        if (bytes[i - 1] == (unsigned char)value)
            return (void *)(bytes + i - 1);
    return 0;
}

char *strchrnul(const char *text, int value)
{
    while (*text && *text != (char)value)
        text++;
    return (char *)text;
}

char *strsep(char **rest, const char *separators)
{
    char *text = *rest;
    if (!text)
        return 0;
    char *end = text + strcspn(text, separators);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return text;
}

sley_size strlcpy(char *to, const char *from, sley_size size)
{
    sley_size length = strlen(from);
    if (size) {
        sley_size kept = length < size ? length : size - 1;
        for (sley_size i = 0; i < kept; i++)
            to[i] = from[i];
        to[kept] = 0;
    }
    return length;
}

void bzero(void *block, sley_size size)
{
    memset(block, 0, size);
}

void bcopy(const void *from, void *to, sley_size size)
{
    memmove(to, from, size);
}
