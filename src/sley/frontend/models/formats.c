// What a format makes of its arguments, where the front end does not know the format or leaves it to the run.
//
// Printing reads what the format says and writes nothing but what `%n` counts.
#include "sley.h"

typedef __builtin_va_list va_list;

sley_size sley_put_literal(char *target, sley_size size, sley_size at, unsigned long long characters, sley_size count);
sley_size sley_put_character(char *target, sley_size size, sley_size at, char character, sley_size width, _Bool is_left);
sley_size sley_put_text(char *target, sley_size size, sley_size at, const char *text, sley_size most, sley_size width,
                        _Bool is_left);
sley_size sley_put_number(char *target, sley_size size, sley_size at, unsigned long long magnitude, char sign,
                          unsigned int base, char ten, sley_size width, _Bool is_left, _Bool has_zeros, sley_size least);
sley_size sley_distance(const char *target, const char *text);
int sley_end_text(char *target, sley_size size, sley_size at, sley_size nearest);
void *malloc(sley_size size);

enum { INTEGER, LONG, LONG_LONG, SHORT, CHARACTER };

static sley_size written(sley_size at, _Bool is_exact)
{
    if (is_exact)
        return at;
    sley_size more = __sley_unknown_ulong("printf");
    __sley_assume(more >= at && more <= __INT_MAX__);
    return more;
}

// Into a target, or only printed: then also what has no model, floating-point numbers and addresses.
static int format_text(char *target, sley_size size, const char *format, va_list given, _Bool is_printed)
{
    sley_size at = 0, nearest = (sley_size)-1;
    _Bool is_exact = 1;
    for (;;) {
        char c = *format++;
        if (!c)
            return sley_end_text(target, size, at, nearest);
        if (c != '%') {
            at = sley_put_literal(target, size, at, (unsigned char)c, 1);
            continue;
        }
        _Bool is_left = 0, has_zeros = 0, is_other = 0;
        char plus = 0;
        for (c = *format++; c == '-' || c == '0' || c == '+' || c == ' ' || c == '#'; c = *format++) {
            is_left = is_left || c == '-';
            has_zeros = has_zeros || c == '0';
            is_other = is_other || c == '#';
            if (c == '+' || (c == ' ' && !plus))
                plus = c;
        }
        sley_size width = 0;
        if (c == '*') {
            int asked = __builtin_va_arg(given, int);
            is_left = is_left || asked < 0;
            width = asked < 0 ? -(sley_size)asked : (sley_size)asked;
            c = *format++;
        }
        for (; '0' <= c && c <= '9'; c = *format++)
            width = 10 * width + (c - '0');
        _Bool has_precision = c == '.';
        sley_size precision = 0;
        if (has_precision) {
            c = *format++;
            if (c == '*') {
                int asked = __builtin_va_arg(given, int);
                has_precision = asked >= 0;
                precision = asked >= 0 ? (sley_size)asked : 0;
                c = *format++;
            }
            for (; '0' <= c && c <= '9'; c = *format++)
                precision = 10 * precision + (c - '0');
        }
        int length = INTEGER;
        for (; c == 'l' || c == 'h' || c == 'z' || c == 't' || c == 'j'; c = *format++) {
            if (c == 'h')
                length = length == SHORT ? CHARACTER : SHORT;
            else
                length = c == 'j' || length == LONG ? LONG_LONG : LONG;
        }
        _Bool is_signed = c == 'd' || c == 'i';
        if (is_signed || c == 'u' || c == 'x' || c == 'X' || c == 'o') {
            long long number = length == LONG        ? __builtin_va_arg(given, long)
                               : length == LONG_LONG ? __builtin_va_arg(given, long long)
                                                     : __builtin_va_arg(given, int);
            if (length == SHORT)
                number = (short)number;
            if (length == CHARACTER)
                number = (signed char)number;
            _Bool is_negative = is_signed && number < 0;
            unsigned long long magnitude = is_negative ? -(unsigned long long)number : (unsigned long long)number;
            if (!is_signed)
                magnitude = length == CHARACTER                               ? (unsigned char)magnitude
                            : length == SHORT                                 ? (unsigned short)magnitude
                            : length == INTEGER                               ? (unsigned int)magnitude
                            : length == LONG && sizeof(long) < sizeof(number) ? (unsigned long)magnitude
                                                                              : magnitude;
            if (is_other && !is_printed)
                __sley_give_up("a format with `#`");
            is_exact = is_exact && !is_other;
            at = sley_put_number(target, size, at, magnitude, is_negative ? '-' : is_signed ? plus : 0,
                                 c == 'o' ? 8 : c == 'x' || c == 'X' ? 16 : 10, c == 'X' ? 'A' : 'a', width, is_left,
                                 has_zeros && !has_precision, has_precision ? precision : 1);
        } else if (c == 's' && length == INTEGER) {
            const char *text = __builtin_va_arg(given, const char *);
            sley_size distance = sley_distance(target, text);
            nearest = distance < nearest ? distance : nearest;
            at = sley_put_text(target, size, at, text, has_precision ? precision : (sley_size)-1, width, is_left);
        } else if (c == 'c' && length == INTEGER) {
            at = sley_put_character(target, size, at, (char)__builtin_va_arg(given, int), width, is_left);
        } else if (c == '%') {
            at = sley_put_character(target, size, at, c, 0, 0);
        } else if (c == 'n') {
            sley_size count = written(at, is_exact);
            if (length == LONG_LONG)
                *__builtin_va_arg(given, long long *) = count;
            else if (length == LONG)
                *__builtin_va_arg(given, long *) = count;
            else if (length == SHORT)
                *__builtin_va_arg(given, short *) = count;
            else if (length == CHARACTER)
                *__builtin_va_arg(given, signed char *) = count;
            else
                *__builtin_va_arg(given, int *) = count;
        } else {
            _Bool is_floating = c == 'f' || c == 'F' || c == 'e' || c == 'E' || c == 'g' || c == 'G' || c == 'a' || c == 'A';
            if (!is_printed)
                __sley_give_up("a format for anything else than integers, characters and strings");
            is_exact = 0;
            if (is_floating)
                __builtin_va_arg(given, double);
            else if (c == 'p')
                __builtin_va_arg(given, void *);
            else if (c != 'm')
                __sley_give_up("a format with positions or an unknown conversion");
        }
    }
}

// --- printing ---------------------------------------------------------------------------------------

static int printed(const char *format, va_list given)
{
    format_text(0, 0, format, given, 1);
    return __sley_unknown_int("printf");
}

// How many characters were written, or a negative number.
static int printed_to(void *file, const char *format, va_list given)
{
    format_text(0, 0, format, given, 1);
    int result;
    if (sley_writes(SLEY_STREAM(file))) {
        result = __sley_unknown_int("printf");
        __sley_assume(result >= 0);
    } else {
        result = __sley_nondet_int();
        __sley_assume(result < 0);
    }
    return result;
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
    return printed(format, given);
}

void vsyslog(int priority, const char *format, va_list given)
{
    printed(format, given);
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
    int result = printed(format, given);
    __builtin_va_end(given);
    return result;
}

void syslog(int priority, const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    printed(format, given);
    __builtin_va_end(given);
}

// --- into memory ------------------------------------------------------------------------------------

int vsnprintf(char *target, sley_size size, const char *format, va_list given)
{
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
}

void closelog(void)
{
}
