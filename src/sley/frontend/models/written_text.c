// Text that formats make. Each function puts something at a position and returns the next one; what does not fit is
// only counted.
#include "sley.h"

sley_size strnlen(const char *text, sley_size most);

// So many times the same.
static void pad(char *target, sley_size size, sley_size at, sley_size count, char filling)
{
    for (sley_size i = 0; i < count; i++)
        SLEY_PUT(at + i, filling);
}

// Up to eight, the first in the lowest byte.
sley_size sley_put_literal(char *target, sley_size size, sley_size at, unsigned long long characters, sley_size count)
{
    for (sley_size i = 0; i < count; i++)
        SLEY_PUT(at + i, (char)(characters >> 8 * i));
    return at + count;
}

sley_size sley_put_character(char *target, sley_size size, sley_size at, char character, sley_size width, _Bool is_left)
{
    sley_size missing = width > 1 ? width - 1 : 0, place = is_left ? at : at + missing;
    if (!is_left)
        pad(target, size, at, missing, ' ');
    SLEY_PUT(place, character);
    if (is_left)
        pad(target, size, at + 1, missing, ' ');
    return at + missing + 1;
}

// How far a text in the object that is written to begins behind the first byte of the result.
sley_size sley_distance(const char *target, const char *text)
{
    sley_size start = __sley_offset(target), at = __sley_offset(text);
    return __sley_is_same_object(target, text) && at > start ? at - start : (sley_size)-1;
}

sley_size sley_put_text(char *target, sley_size size, sley_size at, const char *text, sley_size most, sley_size width,
                        _Bool is_left)
{
    sley_size length = 0;
    if (size == 0) {
        length = strnlen(text, most);
        return at + (length < width ? width : length);
    }
    while (length < most && text[length])
        length++;
    sley_size start = __sley_offset(target), from = __sley_offset(text);
    if (__sley_is_same_object(target, text) && from <= start)
        __sley_check(start - from > length, "deref", "overlap", "copy between strings that overlap");
    sley_size missing = length < width ? width - length : 0, first = is_left ? at : at + missing;
    sley_size end = at + (length < width ? width : length);
    if (!is_left)
        pad(target, size, at, missing, ' ');
    for (sley_size i = 0; i < length; i++) {
        char character = text[i];
        SLEY_PUT(first + i, character);
    }
    if (is_left)
        pad(target, size, at + length, missing, ' ');
    return end;
}

// Without zeros in front: none of zero. It is no loop, so that an analysis of bounds sees how many there are at most.
static sley_size number_of_digits(unsigned long long magnitude, unsigned int base)
{
    if (base == 10)
        return (sley_size)(magnitude >= 1) + (magnitude >= 10) + (magnitude >= 100) + (magnitude >= 1000)
               + (magnitude >= 10000) + (magnitude >= 100000) + (magnitude >= 1000000) + (magnitude >= 10000000)
               + (magnitude >= 100000000) + (magnitude >= 1000000000) + (magnitude >= 10000000000ull)
               + (magnitude >= 100000000000ull) + (magnitude >= 1000000000000ull) + (magnitude >= 10000000000000ull)
               + (magnitude >= 100000000000000ull) + (magnitude >= 1000000000000000ull)
               + (magnitude >= 10000000000000000ull) + (magnitude >= 100000000000000000ull)
               + (magnitude >= 1000000000000000000ull) + (magnitude >= 10000000000000000000ull);
    if (base == 16)
        return (sley_size)(magnitude >= 1) + (magnitude >= 0x10) + (magnitude >= 0x100) + (magnitude >= 0x1000)
               + (magnitude >= 0x10000) + (magnitude >= 0x100000) + (magnitude >= 0x1000000)
               + (magnitude >= 0x10000000) + (magnitude >= 0x100000000ull) + (magnitude >= 0x1000000000ull)
               + (magnitude >= 0x10000000000ull) + (magnitude >= 0x100000000000ull)
               + (magnitude >= 0x1000000000000ull) + (magnitude >= 0x10000000000000ull)
               + (magnitude >= 0x100000000000000ull) + (magnitude >= 0x1000000000000000ull);
    return (sley_size)(magnitude >= 1) + (magnitude >= 010) + (magnitude >= 0100) + (magnitude >= 01000)
           + (magnitude >= 010000) + (magnitude >= 0100000) + (magnitude >= 01000000) + (magnitude >= 010000000)
           + (magnitude >= 0100000000) + (magnitude >= 01000000000) + (magnitude >= 010000000000)
           + (magnitude >= 0100000000000ull) + (magnitude >= 01000000000000ull) + (magnitude >= 010000000000000ull)
           + (magnitude >= 0100000000000000ull) + (magnitude >= 01000000000000000ull)
           + (magnitude >= 010000000000000000ull) + (magnitude >= 0100000000000000000ull)
           + (magnitude >= 01000000000000000000ull) + (magnitude >= 010000000000000000000ull)
           + (magnitude >= 0100000000000000000000ull) + (magnitude >= 01000000000000000000000ull);
}

enum { MOST_DIGITS = 22 };

static char digit_of(unsigned long long magnitude, unsigned int base, char ten)
{
    char digit = (char)(magnitude % base);
    return digit < 10 ? (char)('0' + digit) : (char)(ten + digit - 10);
}

// A sign, `0x`, or nothing: the first character is in the lower byte.
static sley_size put_prefix(char *target, sley_size size, sley_size at, unsigned int prefix)
{
    if (prefix)
        SLEY_PUT(at, (char)prefix);
    if (prefix >> 8)
        SLEY_PUT(at + 1, (char)(prefix >> 8));
    return at + (prefix != 0) + (prefix >> 8 != 0);
}

// A number that is shorter than the place it is to fill, at its right end.
static sley_size put_right(char *target, sley_size size, sley_size at, unsigned long long magnitude, unsigned int prefix,
                           unsigned int base, char ten, sley_size width, _Bool has_zeros, sley_size least, sley_size count,
                           sley_size length)
{
    char digits[MOST_DIGITS];
    sley_size end = at + width, shown = length - (prefix != 0) - (prefix >> 8 != 0);
    count = count < shown ? count : shown;    // as it is
    for (sley_size i = 1; i <= count; i++) {
        digits[MOST_DIGITS - i] = digit_of(magnitude, base, ten);
        magnitude /= base;
    }
    if (!has_zeros)
        pad(target, size, at, width - length, ' ');
    sley_size behind = put_prefix(target, size, has_zeros ? at : end - length, prefix);
    if (has_zeros)
        pad(target, size, behind, width - length, '0');
    pad(target, size, end - shown, count < least ? least - count : 0, '0');
    for (sley_size i = count; i > 0; i--)
        SLEY_PUT(end - i, digits[MOST_DIGITS - i]);
    return end;
}

static sley_size put_left(char *target, sley_size size, sley_size at, unsigned long long magnitude, unsigned int prefix,
                          unsigned int base, char ten, sley_size count, sley_size least)
{
    sley_size zeros = count < least ? least - count : 0;
    char digits[MOST_DIGITS];
    for (sley_size i = count; i > 0; i--) {
        digits[i - 1] = digit_of(magnitude, base, ten);
        magnitude /= base;
    }
    at = put_prefix(target, size, at, prefix);
    sley_size first = at + zeros, end = at + (count < least ? least : count);
    pad(target, size, at, zeros, '0');
    for (sley_size i = 0; i < count; i++)
        SLEY_PUT(first + i, digits[i]);
    return end;
}

// With at least so many digits.
sley_size sley_put_number(char *target, sley_size size, sley_size at, unsigned long long magnitude, unsigned int prefix,
                          unsigned int base, char ten, sley_size width, _Bool is_left, _Bool has_zeros, sley_size least)
{
    sley_size count = number_of_digits(magnitude, base);
    sley_size length = (count < least ? least : count) + (prefix != 0) + (prefix >> 8 != 0);
    if (length < width && !is_left)
        return put_right(target, size, at, magnitude, prefix, base, ten, width, has_zeros, least, count, length);
    sley_size end = put_left(target, size, at, magnitude, prefix, base, ten, count, least);
    if (length >= width)
        return end;
    pad(target, size, end, width - length, ' ');
    return at + width;
}

// How many digits an octal number has of which the first is to be zero (`%#o`), if it has at least so many.
sley_size sley_octal_places(unsigned long long magnitude, sley_size least)
{
    sley_size count = number_of_digits(magnitude, 8);
    return count < least ? least : count + 1;
}

// No text may be where the result goes (C11 7.21.6.5p2): the nearest one is that far away.
int sley_end_text(char *target, sley_size size, sley_size at, sley_size nearest)
{
    if (size) {
        sley_size end = at < size ? at : size - 1;
        target[end] = 0;
        __sley_check(end < nearest, "deref", "overlap", "copy between strings that overlap");
    }
    return (int)at;
}
