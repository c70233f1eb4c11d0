// Floating-point numbers in texts: read exactly where a single operation rounds, else known up to the last digits.
#include "sley.h"

sley_size strlen(const char *text);
double scalbn(double x, int n);
_Bool sley_is_foreign(int category);

#define INFINITE __builtin_inf()
#define MOST 9007199254740992ULL              // all whole numbers up to here are doubles

struct decimal {
    const char *end;                          // behind the number; where the text began if there is none
    unsigned long long digits;                // the first of them, without the point
    int exponent;                             // of ten, or of two if the digits are hexadecimal
    _Bool is_negative;
    _Bool is_cut;                             // digits are missing
    _Bool is_hexadecimal;
    double special;                           // infinite or no number; else zero
};

static char lower(char c)
{
    return 'A' <= c && c <= 'Z' ? c + ('a' - 'A') : c;
}

// Behind a word, whatever its letters are; null if it is not there.
static const char *behind(const char *text, const char *word)
{
    for (; *word; text++, word++)
        if (lower(*text) != *word)
            return 0;
    return text;
}

static const char *behind_number_of_nan(const char *text)
{
    const char *at = text;
    if (*at != '(')
        return text;
    char c = lower(*++at);
    while (('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || c == '_')
        c = lower(*++at);
    return c == ')' ? at + 1 : text;
}

static _Bool read_special(struct decimal *number, const char *at)
{
    const char *end = behind(at, "inf");
    if (end) {
        const char *longer = behind(end, "inity");
        number->end = longer ? longer : end;
        number->special = INFINITE;
        return 1;
    }
    end = behind(at, "nan");
    if (end) {
        number->end = behind_number_of_nan(end);
        number->special = __builtin_nan("");
    }
    return end != 0;
}

static int digit_of(char c, _Bool is_hexadecimal)
{
    c = lower(c);
    if ('0' <= c && c <= '9')
        return c - '0';
    return is_hexadecimal && 'a' <= c && c <= 'f' ? c - 'a' + 10 : -1;
}

// Zeros at the end wait until another digit follows: they need no room.
static const char *read_digits(struct decimal *number, const char *at)
{
    const unsigned int base = number->is_hexadecimal ? 16 : 10;
    const int step = number->is_hexadecimal ? 4 : 1;
    _Bool has_digits = 0, is_behind = 0;
    int zeros = 0;
    for (;; at++) {
        if (*at == '.' && !is_behind) {
            is_behind = 1;
            continue;
        }
        int digit = digit_of(*at, number->is_hexadecimal);
        if (digit < 0)
            break;
        has_digits = 1;
        if (is_behind)
            number->exponent -= step;
        if (digit == 0) {
            zeros++;
            continue;
        }
        for (; zeros >= 0; zeros--) {
            if (number->is_cut || number->digits > (~0ULL - digit) / base) {
                number->exponent += step * (zeros + 1);
                number->is_cut = 1;
                break;
            }
            number->digits = number->digits * base + (zeros ? 0 : digit);
        }
        zeros = 0;
    }
    number->exponent += step * zeros;
    return has_digits ? at : 0;
}

static const char *read_exponent(struct decimal *number, const char *at)
{
    enum { LARGE = 100000 };
    if (lower(*at) != (number->is_hexadecimal ? 'p' : 'e'))
        return at;
    const char *digits = at + 1;
    _Bool is_negative = *digits == '-';
    if (*digits == '-' || *digits == '+')
        digits++;
    if (*digits < '0' || '9' < *digits)
        return at;
    int exponent = 0;
    for (; '0' <= *digits && *digits <= '9'; digits++)
        exponent = exponent < LARGE ? 10 * exponent + (*digits - '0') : LARGE;
    number->exponent += is_negative ? -exponent : exponent;
    return digits;
}

static void read_number(struct decimal *number, const char *text)
{
    const char *at = text;
    while (*at == ' ' || ('\t' <= *at && *at <= '\r'))
        at++;
    number->end = text;
    number->digits = 0;
    number->exponent = 0;
    number->is_cut = number->is_hexadecimal = 0;
    number->special = 0;
    number->is_negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if (read_special(number, at))
        return;
    if (*at == '0' && lower(at[1]) == 'x') {
        number->is_hexadecimal = 1;
        const char *end = read_digits(number, at + 2);
        if (end) {
            number->end = read_exponent(number, end);
            return;
        }
        number->is_hexadecimal = 0;
        number->exponent = 0;
    }
    const char *end = read_digits(number, at);
    if (end)
        number->end = read_exponent(number, end);
}

// --- their values -----------------------------------------------------------------------------------

static double power_of_ten(int exponent)
{
    double power = 1;
    for (; exponent > 0; exponent--)
        power *= 10;
    return power;
}

static double unknown_near(double value)
{
    double result = __sley_unknown_double("strtod");
    __sley_assume(0.99999999999999 * value <= result && result <= 1.00000000000001 * value);
    if (result < __DBL_MIN__ || result == INFINITE)
        sley_sets_errno(SLEY_ERANGE);
    return result;
}

// Ten to the power of 22 is a double: one multiplication or division rounds correctly.
static double decimal_value(const struct decimal *number)
{
    enum { EXACT = 22, BEYOND = 310, BELOW = -345 };
    int exponent = number->exponent;
    double value = (double)number->digits;
    _Bool is_exact = !number->is_cut && number->digits <= MOST;
    if (is_exact && 0 <= exponent && exponent <= EXACT)
        return value * power_of_ten(exponent);
    if (is_exact && -EXACT <= exponent && exponent < 0)
        return value / power_of_ten(-exponent);
    if (exponent >= BEYOND || exponent <= BELOW) {
        sley_sets_errno(SLEY_ERANGE);
        return exponent > 0 ? INFINITE : 0;
    }
    for (; exponent > 0; exponent -= EXACT)
        value *= power_of_ten(exponent < EXACT ? exponent : EXACT);
    for (; exponent < 0; exponent += EXACT)
        value /= power_of_ten(-exponent < EXACT ? -exponent : EXACT);
    if (value < __DBL_MIN__ || value > __DBL_MAX__ / 2)
        __sley_give_up("a decimal number near the ends of what a double can hold");
    return unknown_near(value);
}

static double value_of(const struct decimal *number)
{
    if (number->special != 0)
        return number->special;
    if (number->digits == 0)
        return 0;
    if (!number->is_hexadecimal)
        return decimal_value(number);
    if (number->is_cut || number->digits > MOST)
        return unknown_near(scalbn((double)number->digits, number->exponent));
    double value = scalbn((double)number->digits, number->exponent);
    if (value < __DBL_MIN__ || value == INFINITE)
        sley_sets_errno(SLEY_ERANGE);
    return value;
}

// The point is that of "C"; in another locale it may be another character.
double strtod(const char *text, char **end)
{
    enum { NUMERIC = 1 };
    if (__sley_is_text(text) || __sley_is_argument(text) || sley_is_foreign(NUMERIC)) {
        sley_size length = strlen(text);
        if (end) {
            sley_size used = __sley_unknown_ulong("strtod");
            __sley_assume(used <= length);
            *end = (char *)text + used;
        }
        if (__sley_uses_errno() && __sley_unknown_bool("strtod"))
            sley_sets_errno(SLEY_ERANGE);
        return __sley_unknown_double("strtod");
    }
    struct decimal number;
    read_number(&number, text);
    if (end)
        *end = (char *)number.end;
    if (number.end == text)
        sley_might_set_errno(SLEY_EINVAL);
    double value = value_of(&number);
    return number.is_negative ? -value : value;
}

// Rounded twice is rounded once, unless the double lies halfway between two floats, or is tiny.
float sley_narrowed(double value)
{
    const double least = __FLT_MIN__;
    if (value == 0 || value - value != 0)
        return (float)value;
    _Bool is_halfway = (__sley_bits(value) & 0x1fffffff) == 0x10000000;
    if (is_halfway || (-least < value && value < least))
        return (float)__sley_unknown_double("strtof");
    float result = (float)value;
    if (result - result != 0)
        sley_sets_errno(SLEY_ERANGE);
    return result;
}

float strtof(const char *text, char **end)
{
    return sley_narrowed(strtod(text, end));
}

// What is too large is undefined (C11 7.22.1p1).
double atof(const char *text)
{
    double value = strtod(text, 0);
    if (!__sley_is_text(text) && !__sley_is_argument(text) && (value == INFINITE || value == -INFINITE)) {
        struct decimal number;
        read_number(&number, text);
        __sley_check(number.special != 0, "misuse", "number-too-large",
                     "the number in the text does not fit into the result");
    }
    return value;
}
