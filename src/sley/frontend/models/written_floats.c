// Floating-point numbers as text. Of a number that is known, and that has room in 128 bits before and behind its point,
// the digits are exact; of others only the length is known, and that a bug which rests on a digit is a possible one.
#include "sley.h"

#define INFINITE __builtin_inf()

enum {
    IS_LEFT = 1,                              // flags: `-`
    HAS_ZEROS = 2,                            // `0`
    IS_ALTERNATE = 4,                         // `#`
    MOST_PLACES = 100,                        // a larger precision is given up on
    USUAL_PRECISION = 6,
    SURE_ZEROS = 20,                          // so many places behind the point of what is below 2 to the power of -70
};

static char raised(char letter, _Bool is_upper)
{
    return is_upper ? (char)(letter - 'a' + 'A') : letter;
}

static void fill(char *target, sley_size size, sley_size at, sley_size count, char filling)
{
    for (sley_size i = 0; i < count && at + i < size; i++)
        target[at + i] = filling;
}

// --- a text that is there ---------------------------------------------------------------------------

// Zeros go between the sign and the number.
static sley_size put_padded(char *target, sley_size size, sley_size at, char sign, const char *text, sley_size length,
                            sley_size width, int flags)
{
    sley_size whole = length + (sign != 0), missing = whole < width ? width - whole : 0;
    if (missing && !(flags & (IS_LEFT | HAS_ZEROS))) {
        fill(target, size, at, missing, ' ');
        at += missing;
    }
    if (sign)
        SLEY_PUT(at, sign);
    at += sign != 0;
    if (missing && (flags & HAS_ZEROS) && !(flags & IS_LEFT)) {
        fill(target, size, at, missing, '0');
        at += missing;
    }
    for (sley_size i = 0; i < length; i++)
        SLEY_PUT(at + i, text[i]);
    at += length;
    if (missing && (flags & IS_LEFT)) {
        fill(target, size, at, missing, ' ');
        at += missing;
    }
    return at;
}

// --- exact digits -----------------------------------------------------------------------------------

#ifdef __SIZEOF_INT128__

enum { MOST_DIGITS = 40 + MOST_PLACES, FRACTION_BITS = 52, BIAS = 1023 };

typedef unsigned __int128 wide;

struct number {
    char digits[MOST_DIGITS];
    int count;
    int point;                                // so many stand before the point; below zero: zeros behind it come first
};

struct binary {
    wide whole;
    wide part;                                // behind the point: so many bits
    int bits;
};

static _Bool has_room(double x)
{
    const double least = 0x1p-70, end = 0x1p127;
    return x == 0 || (least <= x && x < end);
}

static struct binary binary_of(double x)
{
    struct binary result = {0, 0, 0};
    unsigned long long bits = __sley_bits(x), fraction = bits & ((1ULL << FRACTION_BITS) - 1);
    int exponent = (int)(bits >> FRACTION_BITS) - BIAS - FRACTION_BITS;
    if (x == 0)
        return result;
    fraction |= 1ULL << FRACTION_BITS;
    if (exponent >= 0) {
        result.whole = (wide)fraction << exponent;
        return result;
    }
    result.bits = -exponent;
    result.whole = result.bits > FRACTION_BITS ? 0 : fraction >> result.bits;
    result.part = fraction - (result.whole << result.bits);
    return result;
}

static int next_digit(struct binary *from)
{
    if (!from->part)
        return 0;
    wide tenfold = from->part * 10;
    int digit = (int)(tenfold >> from->bits);
    from->part = tenfold - ((wide)digit << from->bits);
    return digit;
}

// One more in the last place; whether it takes another digit.
static _Bool round_up(struct number *number, _Bool keeps_count)
{
    int at = number->count;
    while (at > 0 && number->digits[at - 1] == '9')
        number->digits[--at] = '0';
    if (at > 0) {
        number->digits[at - 1]++;
        return 0;
    }
    for (at = number->count; at > 0; at--)
        number->digits[at] = number->digits[at - 1];
    number->digits[0] = '1';
    number->point++;
    if (!keeps_count)
        number->count++;
    return 1;
}

// So many digits behind the point, or so many in all from the first that is not zero, rounded to the nearest, and
// if two are as near to the even one. Whether that takes another digit.
static _Bool take_digits(struct number *number, double x, int places, _Bool is_significant)
{
    struct binary from = binary_of(x);
    char before[40];
    int left = 0;
    for (wide rest = from.whole; rest; rest /= 10)
        before[left++] = (char)(rest % 10);
    number->point = left;
    if (is_significant && x == 0)
        number->point = 1;
    if (is_significant && !left && x != 0)
        for (; from.part * 10 >> from.bits == 0; number->point--)
            from.part *= 10;
    int wanted = is_significant ? places : left + places;
    for (number->count = 0; number->count < wanted; number->count++)
        number->digits[number->count] = (char)('0' + (left ? before[--left] : next_digit(&from)));
    int next = left ? before[--left] : next_digit(&from);
    _Bool has_more = from.part != 0;
    while (left && !has_more)
        has_more = before[--left] != 0;
    _Bool is_odd = number->count && (number->digits[number->count - 1] & 1);
    return (next > 5 || (next == 5 && (has_more || is_odd))) && round_up(number, is_significant);
}

static int put_fixed(char *text, const struct number *number, int count, _Bool has_point)
{
    int length = 0, at = 0;
    if (number->point <= 0)
        text[length++] = '0';
    for (; at < number->point; at++)
        text[length++] = at < count ? number->digits[at] : '0';
    if (has_point || number->point < count)
        text[length++] = '.';
    for (int zeros = number->point; zeros < 0; zeros++)
        text[length++] = '0';
    for (; at < count; at++)
        text[length++] = number->digits[at];
    return length;
}

static int put_scientific(char *text, const struct number *number, int count, _Bool has_point, _Bool is_upper)
{
    int length = 0, exponent = number->point - 1;
    text[length++] = number->digits[0];
    if (has_point || count > 1)
        text[length++] = '.';
    for (int at = 1; at < count; at++)
        text[length++] = number->digits[at];
    text[length++] = raised('e', is_upper);
    text[length++] = exponent < 0 ? '-' : '+';
    if (exponent < 0)
        exponent = -exponent;
    text[length++] = (char)('0' + exponent / 10);
    text[length++] = (char)('0' + exponent % 10);
    return length;
}

// Zeros at the end are left out (C11 7.21.6.1p8).
static int put_shortest(char *text, const struct number *number, int precision, _Bool is_alternate, _Bool is_upper)
{
    int count = number->count;
    while (!is_alternate && count > 1 && number->digits[count - 1] == '0')
        count--;
    if (number->point - 1 < -4 || number->point > precision)
        return put_scientific(text, number, count, is_alternate, is_upper);
    return put_fixed(text, number, count, is_alternate);
}

static int exact_text(char *text, double x, char letter, int precision, _Bool is_alternate, _Bool is_upper)
{
    struct number number;
    if (letter == 'g' && !precision)
        precision = 1;
    if (take_digits(&number, x, letter == 'e' ? precision + 1 : precision, letter != 'f') && letter == 'g' && is_alternate)
        __sley_give_up("`%#g` of a number that is rounded up to a power of ten, which libraries write differently");
    if (letter == 'f')
        return put_fixed(text, &number, number.count, is_alternate);
    if (letter == 'e')
        return put_scientific(text, &number, number.count, is_alternate, is_upper);
    return put_shortest(text, &number, precision, is_alternate, is_upper);
}

#endif

// --- how long a text is -----------------------------------------------------------------------------

static sley_size between(sley_size least, sley_size most)
{
    if (least == most)
        return least;
    sley_size result = __sley_unknown_ulong("snprintf");
    __sley_assume(least <= result && result <= most);
    return result;
}

static sley_size digits_before_point(double x)
{
    return (sley_size)1 + (x >= 1e1) + (x >= 1e2) + (x >= 1e3) + (x >= 1e4) + (x >= 1e5) + (x >= 1e6) + (x >= 1e7)
           + (x >= 1e8) + (x >= 1e9) + (x >= 1e10) + (x >= 1e11) + (x >= 1e12) + (x >= 1e13) + (x >= 1e14)
           + (x >= 1e15) + (x >= 1e16) + (x >= 1e17) + (x >= 1e18) + (x >= 1e19);
}

// What is nearly a power of ten may be rounded to it. Of large numbers the exponent of two tells how many digits
// there are, but for one.
static sley_size length_before_point(double x, int precision)
{
    const double large = 1e19;
    if (x >= large) {
        sley_size exponent = (__sley_bits(x) >> 52) - 1023;
        return between(1 + exponent * 30103 / 100000, 1 + (exponent + 1) * 30103 / 100000);
    }
    double half = 0.50000001;
    for (int i = 0; i < precision; i++)
        half /= 10;
    return between(digits_before_point(x), digits_before_point(x + half));
}

static sley_size has_long_exponent(double x)
{
    _Bool may = x > 0.999e100 || (0 < x && x < 1.001e-99);
    _Bool must = x > 1.001e100 || (0 < x && x < 0.999e-99);
    return between(must, may);
}

static sley_size length_of(double x, char letter, int precision, _Bool is_alternate)
{
    enum { HEXADECIMAL_DIGITS = 13 };
    sley_size point = precision > 0 || is_alternate, places = (sley_size)precision;
    if (letter == 'f')
        return length_before_point(x, precision) + point + places;
    if (letter == 'e')
        return 1 + point + places + 4 + has_long_exponent(x);
    if (letter == 'g')
        return between(1, (places ? places : 1) + 5 + has_long_exponent(x));
    return between(6, 10 + (precision < 0 ? HEXADECIMAL_DIGITS : places));
}

// --- all of it --------------------------------------------------------------------------------------

static sley_size put_unknown(char *target, sley_size size, sley_size at, sley_size length)
{
    for (sley_size i = 0; i < length && at + i < size; i++) {
        char character = __sley_unknown_char("snprintf");
        __sley_assume(' ' <= character && character <= 'x');
        target[at + i] = character;
    }
    return at + length;
}

// The sign of what is no number is that of its bits, of which we know nothing.
static sley_size put_special(char *target, sley_size size, sley_size at, double x, char plus, _Bool is_upper,
                             sley_size width, int flags)
{
    const char *text = x != x ? is_upper ? "NAN" : "nan" : is_upper ? "INF" : "inf";
    _Bool is_negative = x != x ? __sley_unknown_bool("snprintf") : x < 0;
    return put_padded(target, size, at, is_negative ? '-' : plus, text, 3, width, flags & ~HAS_ZEROS);
}

// A precision below zero is none; `plus` stands before what is not negative.
sley_size sley_put_double(char *target, sley_size size, sley_size at, double x, char letter, char plus, int flags,
                          int precision, sley_size width)
{
    _Bool is_upper = letter < 'a', is_alternate = (flags & IS_ALTERNATE) != 0;
    if (is_upper)
        letter = (char)(letter - 'A' + 'a');
    if (x != x || x == INFINITE || x == -INFINITE)
        return put_special(target, size, at, x, plus, is_upper, width, flags);
    if (precision > MOST_PLACES)
        __sley_give_up("a floating-point number is written with more than 100 places");
    if (precision < 0 && letter != 'a')
        precision = USUAL_PRECISION;
    char sign = __sley_bits(x) >> 63 ? '-' : plus;
    double magnitude = sign == '-' ? -x : x;
    if (letter == 'f' && precision <= SURE_ZEROS && magnitude < 0x1p-70)
        magnitude = 0;
#ifdef __SIZEOF_INT128__
    if (letter != 'a' && has_room(magnitude) && __sley_is_known(x)) {
        char text[MOST_DIGITS + 6];
        int length = exact_text(text, magnitude, letter, precision, is_alternate, is_upper);
        return put_padded(target, size, at, sign, text, (sley_size)length, width, flags);
    }
#endif
    sley_size length = length_of(magnitude, letter, precision, is_alternate) + (sign != 0);
    return put_unknown(target, size, at, length < width ? width : length);
}

// Without more digits than a double has.
sley_size sley_put_long_double(char *target, sley_size size, sley_size at, long double x, char letter, char plus,
                               int flags, int precision, sley_size width)
{
    double plain = (double)x;
    if (x == x && (plain != x || letter == 'a' || letter == 'A'))
        __sley_give_up("a long double with more digits than a double is written");
    return sley_put_double(target, size, at, plain, letter, plus, flags, precision, width);
}

// An address is written as the C library likes.
sley_size sley_put_address(char *target, sley_size size, sley_size at, const void *address, sley_size width, int flags)
{
    if (!address)
        return put_padded(target, size, at, 0, "(nil)", 5, width, flags & ~HAS_ZEROS);
    sley_size length = between(3, 2 + 2 * sizeof(void *));
    return put_unknown(target, size, at, length < width ? width : length);
}
