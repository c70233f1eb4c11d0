// Numbers that are written in strings: read character by character, as far as they go.
#include "sley.h"

int *__errno_location(void);

struct parsed {
    const char *end;               // behind the last digit; where the text began if there is none
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
    const char *at = text;
    char c = *at;
    while (c == ' ' || ('\t' <= c && c <= '\r'))
        c = *++at;
    result->is_negative = c == '-';
    if (c == '-' || c == '+')
        c = *++at;
    if (c == '0' && (base == 0 || base == 16)) {
        char next = at[1];
        _Bool is_hexadecimal = (next == 'x' || next == 'X') && digit_value(at[2]) < 16;
        if (is_hexadecimal)
            at += 2;
        if (base == 0)
            base = is_hexadecimal ? 16 : 8;
    } else if (base == 0) {
        base = 10;
    }
    result->end = text;
    result->magnitude = 0;
    result->is_too_large = 0;
    for (int digit = digit_value(*at); digit < base; digit = digit_value(*at)) {
        if (result->magnitude > (~0ULL - digit) / base)
            result->is_too_large = 1;
        result->magnitude = result->magnitude * base + digit;
        result->end = ++at;
    }
}

// What a string from outside says is not known, nor where the number in it ends.
static void guess_end(const char *text, char **end)
{
    if (end)
        *end = (char *)text + __sley_unknown_bool("strtol");
    if (__sley_unknown_bool("strtol"))
        *__errno_location() = SLEY_ERANGE;
}

static long long parse_signed(const char *text, char **end, int base, unsigned long long largest)
{
    struct parsed number;
    parse(&number, text, base);
    if (end)
        *end = (char *)number.end;
    unsigned long long most = largest + number.is_negative;
    if (number.is_too_large || number.magnitude > most) {
        *__errno_location() = SLEY_ERANGE;
        number.magnitude = most;
    }
    return (long long)(number.is_negative ? -number.magnitude : number.magnitude);
}

static unsigned long long parse_unsigned(const char *text, char **end, int base, unsigned long long largest)
{
    struct parsed number;
    parse(&number, text, base);
    if (end)
        *end = (char *)number.end;
    if (number.is_too_large || number.magnitude > largest) {
        *__errno_location() = SLEY_ERANGE;
        return largest;
    }
    return number.is_negative ? -number.magnitude : number.magnitude;
}

long strtol(const char *text, char **end, int base)
{
    if (__sley_is_text(text)) {
        guess_end(text, end);
        return __sley_unknown_long("strtol");
    }
    return (long)parse_signed(text, end, base, __LONG_MAX__);
}

long long strtoll(const char *text, char **end, int base)
{
    if (__sley_is_text(text)) {
        guess_end(text, end);
        return __sley_unknown_longlong("strtoll");
    }
    return parse_signed(text, end, base, __LONG_LONG_MAX__);
}

unsigned long strtoul(const char *text, char **end, int base)
{
    if (__sley_is_text(text)) {
        guess_end(text, end);
        return __sley_unknown_ulong("strtoul");
    }
    return (unsigned long)parse_unsigned(text, end, base, 2UL * __LONG_MAX__ + 1);
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    if (__sley_is_text(text)) {
        guess_end(text, end);
        return __sley_unknown_ulonglong("strtoull");
    }
    return parse_unsigned(text, end, base, ~0ULL);
}

// What does not fit is undefined: glibc drops the upper bits.
int atoi(const char *text)
{
    if (__sley_is_text(text))
        return __sley_unknown_int("atoi");
    return (int)strtol(text, 0, 10);
}

long atol(const char *text)
{
    if (__sley_is_text(text))
        return __sley_unknown_long("atol");
    return strtol(text, 0, 10);
}

long long atoll(const char *text)
{
    return strtoll(text, 0, 10);
}

// --- floating-point numbers -------------------------------------------------------------------------
// Which number it is, is not computed.

sley_size strlen(const char *text);

double strtod(const char *text, char **end)
{
    sley_size length = strlen(text);
    if (end) {
        sley_size used = __sley_unknown_ulong("strtod");
        __sley_assume(used <= length);
        *end = (char *)text + used;
    }
    return __sley_unknown_double("strtod");
}

float strtof(const char *text, char **end)
{
    return (float)strtod(text, end);
}

double atof(const char *text)
{
    return strtod(text, 0);
}
