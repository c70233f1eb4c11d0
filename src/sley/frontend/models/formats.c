// What a format makes of its arguments, where the front end does not know the format or leaves it to the run.
//
// Printing reads what the format says and writes nothing but what `%n` counts. Arguments that do not fit are a misuse
// (C11 7.21.6.1p9).
#include "sley.h"

typedef __builtin_va_list va_list;

sley_size sley_put_literal(char *target, sley_size size, sley_size at, unsigned long long characters, sley_size count);
sley_size sley_put_character(char *target, sley_size size, sley_size at, char character, sley_size width, _Bool is_left);
sley_size sley_put_text(char *target, sley_size size, sley_size at, const char *text, sley_size most, sley_size width,
                        _Bool is_left);
sley_size sley_put_number(char *target, sley_size size, sley_size at, unsigned long long magnitude, unsigned int prefix,
                          unsigned int base, char ten, sley_size width, _Bool is_left, _Bool has_zeros, sley_size least);
sley_size sley_octal_places(unsigned long long magnitude, sley_size least);
sley_size sley_put_double(char *target, sley_size size, sley_size at, double x, char letter, char plus, int flags,
                          int precision, sley_size width);
sley_size sley_put_long_double(char *target, sley_size size, sley_size at, long double x, char letter, char plus,
                               int flags, int precision, sley_size width);
sley_size sley_put_address(char *target, sley_size size, sley_size at, const void *address, sley_size width, int flags);
sley_size sley_distance(const char *target, const char *text);
int sley_end_text(char *target, sley_size size, sley_size at, sley_size nearest);
void *malloc(sley_size size);

enum { IS_LEFT = 1, HAS_ZEROS = 2, IS_ALTERNATE = 4 };

struct conversion {
    int flags;
    char plus;                                // what stands before a number that is not negative, or 0
    sley_size width;
    int precision;                            // below zero: none
    char length;                              // its first letter, `H` for `hh` and `q` for `ll`
    char letter;
};

static const char *read_flags(struct conversion *is, const char *c)
{
    is->flags = 0;
    is->plus = 0;
    is->width = 0;
    is->precision = -1;
    is->length = 0;
    for (;; c++) {
        if (*c == '-')
            is->flags |= IS_LEFT;
        else if (*c == '0')
            is->flags |= HAS_ZEROS;
        else if (*c == '#')
            is->flags |= IS_ALTERNATE;
        else if (*c == '+' || (*c == ' ' && !is->plus))
            is->plus = *c;
        else if (*c != ' ')
            return c;
    }
}

static void set_width(struct conversion *is, int width)
{
    if (width < 0)
        is->flags |= IS_LEFT;
    is->width = width < 0 ? -(sley_size)width : (sley_size)width;
}

static const char *read_number(int *number, const char *c)
{
    for (*number = 0; '0' <= *c && *c <= '9'; c++)
        *number = 10 * *number + (*c - '0');
    return c;
}

static const char *read_length(struct conversion *is, const char *c)
{
    for (; *c == 'l' || *c == 'h' || *c == 'z' || *c == 't' || *c == 'j' || *c == 'L'; c++)
        is->length = is->length == 'l' ? 'q' : is->length == 'h' ? 'H' : *c;
    is->letter = *c;
    return *c ? c + 1 : c;
}

static _Bool is_integer(char letter)
{
    return letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o';
}

_Bool sley_is_floating(char letter)
{
    char lower = letter < 'a' ? (char)(letter - 'A' + 'a') : letter;
    return lower == 'f' || lower == 'e' || lower == 'g' || lower == 'a';
}

int sley_bytes_of(char length)
{
    return length == 'q' || length == 'j' ? sizeof(long long)
           : length == 'l' || length == 'z' || length == 't' ? sizeof(long)
           : length == 'h' ? sizeof(short)
           : length == 'H' ? sizeof(char)
                           : sizeof(int);
}

// --- arguments that fit -----------------------------------------------------------------------------

static _Bool is_kind(int kind, int wanted)
{
    return kind == wanted || kind == SLEY_ANY_ARGUMENT;
}

static _Bool is_integer_of(int kind, char length)
{
    int size = sley_bytes_of(length);
    return is_kind(kind, SLEY_INTEGER + (size < (int)sizeof(int) ? (int)sizeof(int) : size));
}

// An address without more may be that of anything.
static _Bool is_pointer(int kind, int to)
{
    return kind == SLEY_POINTER + to || kind == SLEY_ADDRESS || kind == SLEY_ANY_ARGUMENT;
}

// What is missing is noticed when it is taken.
static _Bool fits(int kind, const struct conversion *is)
{
    _Bool is_wide_text = is->letter == 's' && is->length;
    if (kind == SLEY_NO_ARGUMENT || is_wide_text)
        return 1;
    if (is_integer(is->letter) || is->letter == 'c')
        return is_integer_of(kind, is->letter == 'c' ? 0 : is->length);
    if (is->letter == 's')
        return is_pointer(kind, SLEY_INTEGER + 1);
    if (is->letter == 'n')
        return is_pointer(kind, SLEY_INTEGER + sley_bytes_of(is->length));
    if (is->letter == 'p')
        return kind >= SLEY_ADDRESS;
    int size = is->length == 'L' ? (int)sizeof(long double) : (int)sizeof(double);
    return !sley_is_floating(is->letter) || is_kind(kind, SLEY_FLOATING + size);
}

// Where the text is only printed, nothing may come of it.
static void misfit(_Bool is_printed)
{
    if (!is_printed || __sley_nondet_bool()) {
        __sley_check(0, "misuse", "format", "an argument does not fit the format");
        __sley_end(1);
    }
}

// --- conversions ------------------------------------------------------------------------------------

static sley_size put_integer(char *target, sley_size size, sley_size at, const struct conversion *is, long long number)
{
    _Bool is_signed = is->letter == 'd' || is->letter == 'i', is_negative = is_signed && number < 0;
    int missing = 8 * (int)(sizeof number) - 8 * sley_bytes_of(is->length);
    unsigned long long magnitude = is_negative ? -(unsigned long long)number : (unsigned long long)number;
    if (!is_signed)
        magnitude = magnitude << missing >> missing;
    unsigned int prefix = is_negative ? '-' : is_signed ? (unsigned char)is->plus : 0;
    sley_size least = is->precision < 0 ? 1 : (sley_size)is->precision;
    if ((is->flags & IS_ALTERNATE) && (is->letter == 'x' || is->letter == 'X') && magnitude)
        prefix = '0' | (unsigned int)is->letter << 8;
    if ((is->flags & IS_ALTERNATE) && is->letter == 'o')
        least = sley_octal_places(magnitude, least);
    return sley_put_number(target, size, at, magnitude, prefix,
                           is->letter == 'o' ? 8 : is->letter == 'x' || is->letter == 'X' ? 16 : 10,
                           is->letter == 'X' ? 'A' : 'a', is->width, (is->flags & IS_LEFT) != 0,
                           (is->flags & HAS_ZEROS) && is->precision < 0, least);
}

static void store_count(void *place, char length, sley_size count)
{
    int size = sley_bytes_of(length);
    if (size == 8)
        *(long long *)place = (long long)count;
    else if (size == 4)
        *(int *)place = (int)count;
    else if (size == 2)
        *(short *)place = (short)count;
    else
        *(signed char *)place = (signed char)count;
}

// How many characters there are is not computed where they are only printed.
static sley_size written(sley_size at, _Bool is_exact)
{
    if (is_exact)
        return at;
    sley_size more = __sley_unknown_ulong("printf");
    __sley_assume(more >= at && more <= __INT_MAX__);
    return more;
}

// Into a target, or only printed: then -1 if it is not known how long the text is.
static int format_text(char *target, sley_size size, const char *format, va_list given, _Bool is_printed)
{
    sley_size at = 0, nearest = (sley_size)-1;
    _Bool is_exact = 1;
    for (;;) {
        char c = *format++;
        if (!c && is_printed)
            return is_exact ? (int)at : -1;
        if (!c)
            return sley_end_text(target, size, at, nearest);
        if (c != '%') {
            at = sley_put_literal(target, size, at, (unsigned char)c, 1);
            continue;
        }
        struct conversion is, star = {0, 0, 0, -1, 0, 'd'};
        int number;
        format = read_flags(&is, format);
        if (*format == '*') {
            if (!fits(__sley_argument_kind(given), &star)) {
                misfit(is_printed);
                return -1;
            }
            set_width(&is, __builtin_va_arg(given, int));
            format++;
        } else {
            format = read_number(&number, format);
            set_width(&is, number);
        }
        if (*format == '.' && format[1] == '*') {
            if (!fits(__sley_argument_kind(given), &star)) {
                misfit(is_printed);
                return -1;
            }
            is.precision = __builtin_va_arg(given, int);
            format += 2;
        } else if (*format == '.') {
            format = read_number(&number, format + 1);
            is.precision = number;
        }
        format = read_length(&is, format);
        _Bool is_left = (is.flags & IS_LEFT) != 0;
        if (is.letter == '%') {
            at = sley_put_character(target, size, at, '%', 0, 0);
            continue;
        }
        if (is.letter == 'm' && is_printed) {
            is_exact = 0;
            continue;
        }
        if (!fits(__sley_argument_kind(given), &is)) {
            misfit(is_printed);
            return -1;
        }
        if (is_integer(is.letter)) {
            long long value = sley_bytes_of(is.length) == 8 ? __builtin_va_arg(given, long long) : __builtin_va_arg(given, int);
            if (is.length == 'h')
                value = (short)value;
            if (is.length == 'H')
                value = (signed char)value;
            at = put_integer(target, size, at, &is, value);
        } else if (is.letter == 's' && !is.length) {
            const char *text = __builtin_va_arg(given, const char *);
            sley_size distance = sley_distance(target, text);
            nearest = distance < nearest ? distance : nearest;
            at = sley_put_text(target, size, at, text, is.precision < 0 ? (sley_size)-1 : (sley_size)is.precision,
                               is.width, is_left);
        } else if (is.letter == 'c' && !is.length) {
            at = sley_put_character(target, size, at, (char)__builtin_va_arg(given, int), is.width, is_left);
        } else if (is.letter == 'n') {
            store_count(__builtin_va_arg(given, void *), is.length, written(at, is_exact));
        } else if (is.letter == 'p') {
            const void *address = __builtin_va_arg(given, void *);
            is_exact = 0;
            if (!is_printed)
                at = sley_put_address(target, size, at, address, is.width, is.flags);
        } else if (sley_is_floating(is.letter) && is.length == 'L') {
            long double value = __builtin_va_arg(given, long double);
            is_exact = 0;
            if (!is_printed)
                at = sley_put_long_double(target, size, at, value, is.letter, is.plus, is.flags, is.precision, is.width);
        } else if (sley_is_floating(is.letter)) {
            double value = __builtin_va_arg(given, double);
            is_exact = 0;
            if (!is_printed)
                at = sley_put_double(target, size, at, value, is.letter, is.plus, is.flags, is.precision, is.width);
        } else {
            __sley_give_up("a format with positions or an unknown conversion");
        }
    }
}

// --- printing ---------------------------------------------------------------------------------------

// How many characters there are, if they are written.
static int printed(const char *format, va_list given)
{
    int length = format_text(0, 0, format, given, 1);
    if (length >= 0)
        return length;
    length = __sley_unknown_int("printf");
    __sley_assume(length >= 0);
    return length;
}

// That, or a negative number.
static int printed_to(void *file, const char *format, va_list given)
{
    int result = printed(format, given);
    if (sley_writes(SLEY_STREAM(file)))
        return result;
    result = __sley_nondet_int();
    __sley_assume(result < 0);
    return result;
}

_Bool sley_writes_to_descriptor(void)
{
    return __sley_nondet_bool() || sley_fails() == 0;
}

static int printed_to_descriptor(const char *format, va_list given)
{
    int result = printed(format, given);
    return sley_writes_to_descriptor() ? result : -1;
}

static void logged(const char *format, va_list given)
{
    printed(format, given);
    sley_touches_errno();
}

int vprintf(const char *format, va_list given)
{
    return printed_to(&sley_standard_output, format, given);
}

int vfprintf(void *file, const char *format, va_list given)
{
    return printed_to(file, format, given);
}

int vdprintf(int descriptor, const char *format, va_list given)
{
    return printed_to_descriptor(format, given);
}

void vsyslog(int priority, const char *format, va_list given)
{
    logged(format, given);
}

int printf(const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    int result = printed_to(&sley_standard_output, format, given);
    __builtin_va_end(given);
    return result;
}

int fprintf(void *file, const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    int result = printed_to(file, format, given);
    __builtin_va_end(given);
    return result;
}

int dprintf(int descriptor, const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    int result = printed_to_descriptor(format, given);
    __builtin_va_end(given);
    return result;
}

void syslog(int priority, const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    logged(format, given);
    __builtin_va_end(given);
}

// --- into memory ------------------------------------------------------------------------------------

int vsnprintf(char *target, sley_size size, const char *format, va_list given)
{
    __sley_rely_on("the library has memory for formats");
    return format_text(target, size, format, given, 0);
}

int vsprintf(char *target, const char *format, va_list given)
{
    return vsnprintf(target, (sley_size)-1, format, given);
}

int snprintf(char *target, sley_size size, const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    int length = vsnprintf(target, size, format, given);
    __builtin_va_end(given);
    return length;
}

int sprintf(char *target, const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    int length = vsnprintf(target, (sley_size)-1, format, given);
    __builtin_va_end(given);
    return length;
}

int vasprintf(char **result, const char *format, va_list given)
{
    va_list again;
    __builtin_va_copy(again, given);
    int length = vsnprintf(0, 0, format, again);
    __builtin_va_end(again);
    char *text = malloc((sley_size)length + 1);
    if (!text)
        return -1;
    vsnprintf(text, (sley_size)length + 1, format, given);
    *result = text;
    return length;
}

int asprintf(char **result, const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    int length = vasprintf(result, format, given);
    __builtin_va_end(given);
    return length;
}

// --- the system's log -------------------------------------------------------------------------------

// The name is kept and read whenever something is logged.
void openlog(const char *name, int options, int facility)
{
    sley_touches_errno();
}

void closelog(void)
{
    sley_touches_errno();
}
