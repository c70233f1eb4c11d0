// Streams and files: what is read is arbitrary, what is written is only looked at.
//
// The functions with formats are lowered by the front end, which calls the first ones here.
#include "sley.h"

int *__errno_location(void);
sley_size strlen(const char *text);

// Somebody looks at a text; of one from outside, it does not matter how long it is.
static void read_text(const char *text)
{
    if (!__sley_is_text(text))
        strlen(text);
}
sley_size strnlen(const char *text, sley_size most);
void *realloc(void *block, sley_size size);

// --- text from formats ------------------------------------------------------------------------------
// Each puts something at a position and returns the next one; what does not fit is only counted.

#define PUT(at, character)                                                                                           \
    do {                                                                                                              \
        sley_size sley_here = (at);                                                                                   \
        if (sley_here < size)                                                                                         \
            target[sley_here] = character;                                                                            \
    } while (0)

// So many times the same.
static void pad(char *target, sley_size size, sley_size at, sley_size count, char filling)
{
    for (sley_size i = 0; i < count; i++)
        PUT(at + i, filling);
}

// Up to eight, the first in the lowest byte.
sley_size sley_put_literal(char *target, sley_size size, sley_size at, unsigned long long characters, sley_size count)
{
    for (sley_size i = 0; i < count; i++)
        PUT(at + i, (char)(characters >> 8 * i));
    return at + count;
}

sley_size sley_put_character(char *target, sley_size size, sley_size at, char character, sley_size width, _Bool is_left)
{
    sley_size missing = width > 1 ? width - 1 : 0, place = is_left ? at : at + missing;
    if (!is_left)
        pad(target, size, at, missing, ' ');
    PUT(place, character);
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
        PUT(first + i, character);
    }
    if (is_left)
        pad(target, size, at + length, missing, ' ');
    return end;
}

// Without zeros in front: none of zero. It is no loop, so that who looks at bounds sees how many there are at most.
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

// A number that is shorter than the place it is to fill, at its right end.
static sley_size put_right(char *target, sley_size size, sley_size at, unsigned long long magnitude, char sign,
                           unsigned int base, char ten, sley_size width, _Bool has_zeros, sley_size least, sley_size count,
                           sley_size length)
{
    char digits[MOST_DIGITS];
    sley_size end = at + width, shown = sign ? length - 1 : length;
    count = count < shown ? count : shown;    // as it is
    for (sley_size i = 1; i <= count; i++) {
        digits[MOST_DIGITS - i] = digit_of(magnitude, base, ten);
        magnitude /= base;
    }
    if (!has_zeros)
        pad(target, size, at, width - length, ' ');
    sley_size first = has_zeros ? at : end - length;
    if (sign)
        PUT(first, sign);
    if (has_zeros)
        pad(target, size, sign ? at + 1 : at, width - length, '0');
    pad(target, size, end - shown, count < least ? least - count : 0, '0');
    for (sley_size i = count; i > 0; i--)
        PUT(end - i, digits[MOST_DIGITS - i]);
    return end;
}

static sley_size put_left(char *target, sley_size size, sley_size at, unsigned long long magnitude, char sign,
                          unsigned int base, char ten, sley_size count, sley_size least)
{
    sley_size zeros = count < least ? least - count : 0;
    char digits[MOST_DIGITS];
    for (sley_size i = count; i > 0; i--) {
        digits[i - 1] = digit_of(magnitude, base, ten);
        magnitude /= base;
    }
    if (sign) {
        PUT(at, sign);
        at++;
    }
    sley_size first = at + zeros, end = at + (count < least ? least : count);
    pad(target, size, at, zeros, '0');
    for (sley_size i = 0; i < count; i++)
        PUT(first + i, digits[i]);
    return end;
}

// With a sign unless that is 0, and at least so many digits.
sley_size sley_put_number(char *target, sley_size size, sley_size at, unsigned long long magnitude, char sign,
                          unsigned int base, char ten, sley_size width, _Bool is_left, _Bool has_zeros, sley_size least)
{
    sley_size count = number_of_digits(magnitude, base);
    sley_size length = (count < least ? least : count) + (sign != 0);
    if (length < width && !is_left)
        return put_right(target, size, at, magnitude, sign, base, ten, width, has_zeros, least, count, length);
    sley_size end = put_left(target, size, at, magnitude, sign, base, ten, count, least);
    if (length >= width)
        return end;
    pad(target, size, end, width - length, ' ');
    return at + width;
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

// --- reading ----------------------------------------------------------------------------------------

// At most so many characters, of which none is zero, and a zero.
void sley_any_text(char *target, sley_size most)
{
    sley_size at = 0;
    for (; at < most && __sley_nondet_bool(); at++) {
        char character = __sley_nondet_char();
        __sley_assume(character != 0);
        target[at] = character;
    }
    target[at] = 0;
}

void sley_unknown_text(char *target, sley_size most)
{
    sley_size at = 0;
    for (; at < most && __sley_unknown_bool("sscanf"); at++) {
        char character = __sley_unknown_char("sscanf");
        __sley_assume(character != 0);
        target[at] = character;
    }
    target[at] = 0;
}

// --- the state of a stream --------------------------------------------------------------------------
// Which stream was found at its end or in error last, and which one a character was pushed back to.

enum { NOTHING_PUSHED = -1, IS_AT_END = 1, IS_IN_ERROR = 2 };

#define STANDARD_INPUT ((void *)-1L)

static void *_Atomic sley_ended_stream;
static _Atomic int sley_indicators;
static void *_Atomic sley_pushed_stream;
static _Atomic int sley_pushed;               // the character and one

// What comes back to a reader instead of a character comes with an indicator (C11 7.21.7.1p3).
void sley_end_of_stream(void *stream)
{
    int indicators = __sley_nondet_bool() ? IS_AT_END : IS_IN_ERROR;
    __sley_atomic_begin();
    sley_ended_stream = stream;
    sley_indicators = indicators;
    __sley_atomic_end();
}

static void clear(void *stream, int kept)
{
    __sley_atomic_begin();
    _Bool is_known = sley_ended_stream == stream;
    if (is_known || !kept) {
        sley_indicators = is_known ? sley_indicators & kept : 0;
        sley_ended_stream = stream;
    }
    __sley_atomic_end();
}

// For those who read more than a character, of whom it is not known where they leave the stream.
void sley_read_from(void *stream)
{
    if (sley_pushed && sley_pushed_stream == stream)
        __sley_give_up("something else than a character is read after ungetc");
    __sley_atomic_begin();
    if (sley_ended_stream == stream)
        sley_ended_stream = 0;
    __sley_atomic_end();
}

static void discard_pushed(void *stream)
{
    __sley_atomic_begin();
    if (sley_pushed && sley_pushed_stream == stream)
        sley_pushed = 0;
    __sley_atomic_end();
}

static int next_character(void *stream)
{
    __sley_atomic_begin();
    int pushed = sley_pushed_stream == stream ? sley_pushed : 0;
    if (pushed)
        sley_pushed = 0;
    _Bool is_at_end = sley_ended_stream == stream && (sley_indicators & IS_AT_END);
    __sley_atomic_end();
    if (pushed)
        return pushed - 1;
    if (is_at_end)
        return -1;
    int character = __sley_nondet_int();
    __sley_assume(-1 <= character && character <= 255);
    if (character < 0)
        sley_end_of_stream(stream);
    return character;
}

int getc(void *stream)
{
    return next_character(stream);
}

int fgetc(void *stream)
{
    return next_character(stream);
}

int getchar(void)
{
    return next_character(STANDARD_INPUT);
}

// There is room for one character (C11 7.21.7.10p3).
int ungetc(int character, void *stream)
{
    if (character == -1)
        return -1;
    if (sley_pushed)
        __sley_give_up("a second character is pushed back with ungetc");
    clear(stream, IS_IN_ERROR);
    __sley_atomic_begin();
    sley_pushed_stream = stream;
    sley_pushed = (unsigned char)character + 1;
    __sley_atomic_end();
    return (unsigned char)character;
}

// At the end of the stream nothing is written.
char *fgets(char *target, int size, void *stream)
{
    if (size <= 0)
        __sley_give_up("fgets with a size that is not positive");
    sley_read_from(stream);
    if (__sley_nondet_bool()) {
        sley_end_of_stream(stream);
        return 0;
    }
    sley_any_text(target, size - 1);
    return target;
}

// A line goes into a block that is made, or grown, as needed.
long getline(char **line, sley_size *size, void *stream)
{
    enum { LONGEST_LINE = 40 };
    __sley_rely_on("getline reads lines of less than 40 characters");
    sley_read_from(stream);
    if (!*line || *size < LONGEST_LINE) {
        char *grown = realloc(*line, LONGEST_LINE);
        if (!grown)
            return -1;
        *line = grown;
        *size = LONGEST_LINE;
    }
    if (__sley_nondet_bool()) {
        sley_end_of_stream(stream);
        return -1;
    }
    char first = __sley_nondet_char();
    __sley_assume(first != 0);
    (*line)[0] = first;
    sley_any_text(*line + 1, LONGEST_LINE - 2);
    return (long)strlen(*line);
}

// The text that goes in front of the message may be missing.
void perror(const char *text)
{
    if (text)
        read_text(text);
}

// --- streams ----------------------------------------------------------------------------------------

void *fopen(const char *path, const char *mode)
{
    read_text(path);
    return __sley_nondet_pointer();
}

void *fdopen(int descriptor, const char *mode)
{
    return __sley_nondet_pointer();
}

void *freopen(const char *path, const char *mode, void *stream)
{
    return __sley_nondet_pointer();
}

void *tmpfile(void)
{
    return __sley_nondet_pointer();
}

void *popen(const char *command, const char *mode)
{
    read_text(command);
    return __sley_nondet_pointer();
}

static int any_result(void)
{
    return __sley_nondet_bool() ? 0 : -1;
}

int fclose(void *stream)
{
    discard_pushed(stream);
    sley_read_from(stream);
    return any_result();
}

int pclose(void *stream)
{
    return __sley_nondet_int();
}

int fseek(void *stream, long offset, int origin)
{
    if (__sley_nondet_bool())
        return -1;
    discard_pushed(stream);
    clear(stream, IS_IN_ERROR);
    return 0;
}

long ftell(void *stream)
{
    long position = __sley_nondet_long();
    __sley_assume(position >= -1);
    return position;
}

void rewind(void *stream)
{
    discard_pushed(stream);
    clear(stream, 0);
}

// The indicators that are known to be set; who writes to a stream may get it into an error at any time.
static int known_indicators(void *stream)
{
    __sley_atomic_begin();
    int indicators = sley_ended_stream == stream ? sley_indicators : -1;
    __sley_atomic_end();
    return indicators;
}

static int any_but_zero(void)
{
    int result = __sley_nondet_int();
    __sley_assume(result != 0);
    return result;
}

int feof(void *stream)
{
    int indicators = known_indicators(stream);
    if (indicators < 0)
        return __sley_unknown_int("feof");
    return indicators & IS_AT_END ? any_but_zero() : 0;
}

int ferror(void *stream)
{
    int indicators = known_indicators(stream);
    if (indicators < 0 || !(indicators & IS_IN_ERROR))
        return __sley_unknown_int("ferror");
    return any_but_zero();
}

void clearerr(void *stream)
{
    clear(stream, 0);
}

int fileno(void *stream)
{
    return __sley_nondet_int();
}

void flockfile(void *stream)
{
    __sley_give_up("a stream is locked by the program");
}

void funlockfile(void *stream)
{
    __sley_give_up("a stream is locked by the program");
}

int remove(const char *path)
{
    read_text(path);
    return any_result();
}

int rename(const char *from, const char *to)
{
    read_text(from);
    read_text(to);
    return any_result();
}
