// Numbers that are written in strings: read character by character, as far as they go.
#include "sley.h"

struct parsed {
    sley_size length;              // up to behind the last digit; 0 if there is none. No pointer: numbers are none
    unsigned long long magnitude;
    _Bool is_negative;
    _Bool is_too_large;
};

static int digit_value(char c)
{
    if ('0' <= c && c <= '9')
        return c - '0';
    if ('a' <= c && c <= 'z')
        return c - 'a' + 10;
    if ('A' <= c && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

static void parse(struct parsed *result, const char *text, int base)
{
    sley_size at = 0;
    char c = text[at];
    while (c == ' ' || ('\t' <= c && c <= '\r'))
        c = text[++at];
    result->is_negative = c == '-';
    if (c == '-' || c == '+')
        c = text[++at];
    if (c == '0' && (base == 0 || base == 16)) {
        char next = text[at + 1];
        _Bool is_hexadecimal = (next == 'x' || next == 'X') && digit_value(text[at + 2]) < 16;
        if (is_hexadecimal)
            at += 2;
        if (base == 0)
            base = is_hexadecimal ? 16 : 8;
    } else if (base == 0) {
        base = 10;
    }
    result->length = 0;
    result->magnitude = 0;
    result->is_too_large = 0;
    for (int digit = digit_value(text[at]); digit < base; digit = digit_value(text[at])) {
        if (result->magnitude > (~0ULL - digit) / base)
            result->is_too_large = 1;
        result->magnitude = result->magnitude * base + digit;
        result->length = ++at;
    }
}

// What a string from outside says is not known, nor where the number in it ends.
static void guess_end(const char *text, char **end)
{
    if (end)
        *end = (char *)text + __sley_unknown_bool("strtol");
    if (__sley_uses_errno() && __sley_unknown_bool("strtol"))
        sley_sets_errno(__sley_unknown_bool("strtol") ? SLEY_ERANGE : SLEY_EINVAL);
}

// Without a number, the text ends where it begins; glibc leaves `errno` alone then, but for another base than C has.
static _Bool is_base(int base)
{
    if (base == 0 || (2 <= base && base <= 36))
        return 1;
    sley_may_set_errno(SLEY_EINVAL);
    return 0;
}

static void end_at(const struct parsed *number, const char *text, char **end)
{
    if (end)
        *end = (char *)text + number->length;
    if (!number->length)
        sley_might_set_errno(SLEY_EINVAL);
}

static long long parse_signed(const char *text, char **end, int base, unsigned long long largest)
{
    struct parsed number;
    if (!is_base(base))
        return 0;
    parse(&number, text, base);
    end_at(&number, text, end);
    unsigned long long most = largest + number.is_negative;
    if (number.is_too_large || number.magnitude > most) {
        sley_sets_errno(SLEY_ERANGE);
        number.magnitude = most;
    }
    return (long long)(number.is_negative ? -number.magnitude : number.magnitude);
}

static unsigned long long parse_unsigned(const char *text, char **end, int base, unsigned long long largest)
{
    struct parsed number;
    if (!is_base(base))
        return 0;
    parse(&number, text, base);
    end_at(&number, text, end);
    if (number.is_too_large || number.magnitude > largest) {
        sley_sets_errno(SLEY_ERANGE);
        return largest;
    }
    return number.is_negative ? -number.magnitude : number.magnitude;
}

// An argument of the program begins with a number that is an input; in bases but ten nothing is known of it.
static _Bool is_known(const char *text, int base)
{
    return base == 10 && __sley_is_argument(text);
}

static _Bool is_unknown(const char *text)
{
    return __sley_is_text(text) || __sley_is_argument(text);
}

static long long clipped_number(const char *text, char **end, long long least, long long most)
{
    long long number = sley_argument_number(text);
    if (end)
        *end = sley_argument_end(text, number);
    if (number == 0)
        sley_might_set_errno(SLEY_EINVAL);
    long long nearest = number < least ? least : number > most ? most : number;
    _Bool is_last = number == __LONG_LONG_MAX__ || number == -__LONG_LONG_MAX__ - 1;
    if (nearest != number || (is_last && __sley_nondet_bool()))
        sley_sets_errno(SLEY_ERANGE);
    return nearest;
}

long strtol(const char *text, char **end, int base)
{
    if (is_known(text, base))
        return (long)clipped_number(text, end, -__LONG_MAX__ - 1L, __LONG_MAX__);
    if (is_unknown(text)) {
        guess_end(text, end);
        return __sley_unknown_long("strtol");
    }
    return (long)parse_signed(text, end, base, __LONG_MAX__);
}

long long strtoll(const char *text, char **end, int base)
{
    if (is_known(text, base))
        return clipped_number(text, end, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__);
    if (is_unknown(text)) {
        guess_end(text, end);
        return __sley_unknown_longlong("strtoll");
    }
    return parse_signed(text, end, base, __LONG_LONG_MAX__);
}

// A number with a minus is negated in the type of the result; the largest ones are only among these.
unsigned long strtoul(const char *text, char **end, int base)
{
    if (is_known(text, base) && sizeof(long) == sizeof(long long))
        return (unsigned long)clipped_number(text, end, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__);
    if (is_unknown(text)) {
        guess_end(text, end);
        return __sley_unknown_ulong("strtoul");
    }
    return (unsigned long)parse_unsigned(text, end, base, 2UL * __LONG_MAX__ + 1);
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    if (is_known(text, base))
        return (unsigned long long)clipped_number(text, end, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__);
    if (is_unknown(text)) {
        guess_end(text, end);
        return __sley_unknown_ulonglong("strtoull");
    }
    return parse_unsigned(text, end, base, ~0ULL);
}

// What does not fit is undefined (C11 7.22.1p1).
static long long in_range(const char *text, unsigned long long largest)
{
    struct parsed number;
    parse(&number, text, 10);
    _Bool fits = !number.is_too_large && number.magnitude <= largest + number.is_negative;
    __sley_check(fits, "misuse", "number-too-large", "the number in the text does not fit into the result");
    return (long long)(number.is_negative ? -number.magnitude : number.magnitude);
}

static void rely_on_range(void)
{
    __sley_rely_on("numbers in texts from outside fit into the types that they are converted to");
}

static long long argument_in_range(const char *text, long long most)
{
    rely_on_range();
    long long number = sley_argument_number(text);
    __sley_assume(-most - 1 <= number && number <= most);
    return number;
}

int atoi(const char *text)
{
    if (__sley_is_argument(text))
        return (int)argument_in_range(text, __INT_MAX__);
    if (__sley_is_text(text)) {
        rely_on_range();
        return __sley_unknown_int("atoi");
    }
    return (int)in_range(text, __INT_MAX__);
}

long atol(const char *text)
{
    if (__sley_is_argument(text))
        return (long)argument_in_range(text, __LONG_MAX__);
    if (__sley_is_text(text)) {
        rely_on_range();
        return __sley_unknown_long("atol");
    }
    return (long)in_range(text, __LONG_MAX__);
}

long long atoll(const char *text)
{
    if (__sley_is_argument(text))
        return argument_in_range(text, __LONG_LONG_MAX__);
    if (__sley_is_text(text)) {
        rely_on_range();
        return __sley_unknown_longlong("atoll");
    }
    return in_range(text, __LONG_LONG_MAX__);
}

long long strtoimax(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

unsigned long long strtoumax(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}
