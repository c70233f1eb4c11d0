// What a format finds in a text. A text that is known is read; of another, and of a stream, every conversion finds
// anything that it could have read, or fails.
//
// Where C libraries differ from the standard (C11 7.21.6.2p9: `1e`, `0x`, less than three characters for `%3c`) it is
// given up.
#include "sley.h"

typedef __builtin_va_list va_list;

sley_size strlen(const char *text);
double strtod(const char *text, char **end);
float sley_narrowed(double value);
_Bool sley_read_from(void *stream);
void sley_end_of_stream(void *stream);

#define STANDARD_INPUT ((void *)-1L)

struct scanner {
    const char *at;                           // null: it is not known what is read
    const char *start;
    sley_size most;                           // how long an unknown text is at most
    _Bool is_input;                           // a stream
};

struct directive {
    sley_size width;                          // 0: none
    const char *members;                      // of a set, behind the bracket
    char length;                              // `H` for `hh`, `q` for `ll`
    char letter;
    _Bool is_suppressed;
};

static char lower(char c)
{
    return 'A' <= c && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static _Bool is_white(char c)
{
    return (c == ' ') | (('\t' <= c) & (c <= '\r'));
}

// Without a branch: which of its characters a text has is left open as long as possible.
static _Bool is_member(char character, const char *members)
{
    unsigned char c = (unsigned char)character;
    _Bool is_negated = *members == '^', is_found = 0;
    if (is_negated)
        members++;
    do {
        unsigned char least = (unsigned char)*members++, most = least;
        if (*members == '-' && members[1] != ']') {
            most = (unsigned char)members[1];
            members += 2;
        }
        is_found |= (least <= c) & (c <= most);
    } while (*members != ']');
    return is_found != is_negated;
}

static const char *read_directive(struct directive *is, const char *c)
{
    is->is_suppressed = *c == '*';
    c += is->is_suppressed;
    for (is->width = 0; '0' <= *c && *c <= '9'; c++)
        is->width = 10 * is->width + (sley_size)(*c - '0');
    for (is->length = 0; *c == 'l' || *c == 'h' || *c == 'z' || *c == 't' || *c == 'j' || *c == 'L' || *c == 'm'; c++)
        is->length = is->length == 'l' ? 'q' : is->length == 'h' ? 'H' : *c;
    is->letter = *c++;
    if (is->letter != '[')
        return c;
    is->members = c;
    c += *c == '^';
    for (c++; *c != ']'; c++)
        if (!*c)
            __sley_give_up("a format of scanf with a set that does not end");
    return c + 1;
}

static _Bool is_integer(char letter)
{
    return letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o';
}

static _Bool is_signed(char letter)
{
    return letter == 'd' || letter == 'i';
}

// --- what may be found ------------------------------------------------------------------------------

static _Bool any_bool(_Bool is_input)
{
    return is_input ? __sley_nondet_bool() : __sley_unknown_bool("sscanf");
}

// A word is not empty; from a stream, it may have zeros in it.
void sley_scan_word(char *target, sley_size most, const char *members, _Bool is_input)
{
    sley_size at = 0;
    do {
        char character = is_input ? __sley_nondet_char() : __sley_unknown_char("sscanf");
        _Bool fits = members ? is_member(character, members) : !is_white(character);
        __sley_assume(fits & (is_input | (character != 0)));
        target[at++] = character;
    } while (at < most && any_bool(is_input));
    target[at] = 0;
}

// With so many digits at most, or as many as there may be.
static unsigned long long largest(unsigned int base, sley_size digits)
{
    unsigned long long number = 0;
    for (; digits && number <= (~0ULL - base) / base; digits--)
        number = number * base + (base - 1);
    return digits ? ~0ULL : number;
}

static long long any_integer(const struct scanner *from, const struct directive *is)
{
    long long number = from->is_input ? __sley_nondet_longlong() : __sley_unknown_longlong("sscanf");
    if (!is->width)
        return number;
    unsigned int base = is->letter == 'o' ? 8 : is->letter == 'x' || is->letter == 'X' ? 16 : 10;
    unsigned long long most = largest(base, is->width), least = largest(base, is->width - 1);
    if (is->letter == 'i' && is->width > 11)
        return number;
    _Bool is_negative = number < 0;
    unsigned long long magnitude = is_negative ? -(unsigned long long)number : (unsigned long long)number;
    __sley_assume(magnitude <= (is_negative ? least : most));
    return number;
}

// --- what is found ----------------------------------------------------------------------------------

static unsigned int digit_of(char c)
{
    if ('0' <= c && c <= '9')
        return (unsigned int)(c - '0');
    c = lower(c);
    return 'a' <= c && c <= 'f' ? (unsigned int)(c - 'a') + 10 : 16;
}

static _Bool is_prefix(const char *at, sley_size room)
{
    if (*at != '0' || room < 2 || (at[1] != 'x' && at[1] != 'X'))
        return 0;
    if (room < 3 || digit_of(at[2]) > 15)
        __sley_give_up("scanf finds `0x` without digits");
    return 1;
}

const char *sley_scan_white(const char *at)
{
    while (is_white(*at))
        at++;
    return at;
}

// What is found where nothing fits: the end of the text, or something else.
int sley_scan_missing(const char *at, _Bool skips_white)
{
    if (skips_white)
        at = sley_scan_white(at);
    return *at ? 0 : -1;
}

// A width of 0 is none. Each function goes behind what it has found, or returns null.
const char *sley_scan_integer(const char *at, sley_size width, char letter, int size, _Bool is_suppressed,
                              long long *number)
{
    at = sley_scan_white(at);
    sley_size room = width ? width : (sley_size)-1;
    unsigned int base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 10;
    _Bool is_negative = *at == '-', is_too_large = 0;
    if (*at == '-' || *at == '+') {
        at++;
        room--;
    }
    if ((base == 16 || letter == 'i') && is_prefix(at, room)) {
        base = 16;
        at += 2;
        room -= 2;
    } else if (letter == 'i' && *at == '0') {
        base = 8;
        if (room > 1 && (at[1] == 'b' || at[1] == 'B'))
            __sley_give_up("scanf finds `0b`, which is a number since C23");
    }
    const char *digits = at;
    unsigned long long magnitude = 0;
    for (; room; at++, room--) {
        unsigned int digit = digit_of(*at);
        if (digit >= base)
            break;
        is_too_large |= magnitude > (~0ULL - digit) / base;
        magnitude = magnitude * base + digit;
    }
    if (at == digits)
        return 0;
    unsigned long long most = ~0ULL >> (64 - 8 * size);
    if (is_signed(letter))
        most = (most >> 1) + is_negative;
    if (!is_suppressed)
        __sley_check(!is_too_large && magnitude <= most, "misuse", "number-too-large",
                     "the number in the text does not fit into the result");
    *number = (long long)(is_negative ? -magnitude : magnitude);
    return at;
}

// Whether the text begins another number that does not end: `1e`, `0x`, `infi`, `nan(`, `n`.
static _Bool may_go_on(const char *text, sley_size used)
{
    const char *digits = text + (*text == '-' || *text == '+');
    char next = lower(text[used]);
    if (!used)
        return lower(*digits) == 'i' || lower(*digits) == 'n';
    char last = lower(text[used - 1]);
    _Bool is_hexadecimal = digits[0] == '0' && lower(digits[1]) == 'x' && digits + 2 < text + used;
    if (is_hexadecimal)
        return next == 'p';
    return next == 'e' || (next == 'x' && last == '0' && text + used == digits + 1) || (next == 'i' && last == 'f')
           || (next == '(' && last == 'n');
}

// The longest text that could become a number has to be one (C11 7.21.6.2p9).
const char *sley_scan_floating(const char *at, sley_size width, _Bool is_double, double *number, float *narrow)
{
    enum { MOST_PLACES = 60 };
    char text[MOST_PLACES + 1], *end;
    at = sley_scan_white(at);
    sley_size room = width && width < MOST_PLACES ? width : MOST_PLACES, length = 0;
    for (; length < room && at[length] && !is_white(at[length]); length++)
        text[length] = at[length];
    if (length == MOST_PLACES)
        __sley_give_up("scanf finds a floating-point number with many digits");
    text[length] = 0;
    double value = strtod(text, &end);
    if (is_double)
        *number = value;
    else
        *narrow = sley_narrowed(value);
    if (may_go_on(text, (sley_size)(end - text)))
        __sley_give_up("scanf finds what looks like more of a number than it is");
    return end == text ? 0 : at + (end - text);
}

const char *sley_scan_characters(const char *at, sley_size wanted, _Bool is_suppressed, char *target)
{
    for (sley_size i = 0; i < wanted; i++, at++) {
        if (!*at && i)
            __sley_give_up("scanf finds less characters than `%c` asks for");
        if (!*at)
            return 0;
        if (!is_suppressed)
            target[i] = *at;
    }
    return at;
}

// Without members: no white space.
const char *sley_scan_known_word(const char *at, sley_size width, const char *members, _Bool is_suppressed,
                                 char *target)
{
    if (!members)
        at = sley_scan_white(at);
    sley_size most = width ? width : (sley_size)-1, length = 0;
    for (; length < most && *at; length++, at++) {
        if (members ? !is_member(*at, members) : is_white(*at))
            break;
        if (!is_suppressed)
            target[length] = *at;
    }
    if (!length)
        return 0;
    if (!is_suppressed)
        target[length] = 0;
    return at;
}

const char *sley_scan_literal(const char *at, char c)
{
    return *at == c ? at + 1 : 0;
}

// --- storing ----------------------------------------------------------------------------------------

// What has another type than the object is undefined once it is stored (C11 7.21.6.2p10).
static void require_pointer(int kind, int to)
{
    _Bool fits = kind == SLEY_POINTER + to || kind == SLEY_ADDRESS || kind == SLEY_ANY_ARGUMENT;
    if (!fits && __sley_nondet_bool()) {
        __sley_check(0, "misuse", "format", "an argument does not fit the format");
        __sley_end(1);
    }
}

static void store_integer(void *place, char length, long long number, int kind)
{
    int size = sley_bytes_of(length);
    if (size == 8)
        *(long long *)place = number;
    else if (size == 4)
        *(int *)place = (int)number;
    else if (size == 2)
        *(short *)place = (short)number;
    else
        *(signed char *)place = (signed char)number;
    require_pointer(kind, SLEY_INTEGER + size);
}

static void store_floating(void *place, char length, double number, float narrow, int kind)
{
    if (length == 'l')
        *(double *)place = number;
    else
        *(float *)place = narrow;
    require_pointer(kind, SLEY_FLOATING + (length == 'l' ? 8 : 4));
}

// Behind what is found in a known text, or null.
static const char *find(const char *at, const struct directive *is, void *place, int kind)
{
    if (is_integer(is->letter)) {
        long long number = 0;
        at = sley_scan_integer(at, is->width, is->letter, sley_bytes_of(is->length), is->is_suppressed, &number);
        if (at && !is->is_suppressed)
            store_integer(place, is->length, number, kind);
    } else if (sley_is_floating(is->letter)) {
        double number = 0;
        float narrow = 0;
        at = sley_scan_floating(at, is->width, is->length == 'l', &number, &narrow);
        if (at && !is->is_suppressed)
            store_floating(place, is->length, number, narrow, kind);
    } else {
        if (is->letter == 'c')
            at = sley_scan_characters(at, is->width ? is->width : 1, is->is_suppressed, place);
        else
            at = sley_scan_known_word(at, is->width, is->letter == 's' ? 0 : is->members, is->is_suppressed,
                                      place);
        if (at && !is->is_suppressed)
            require_pointer(kind, SLEY_INTEGER + 1);
    }
    return at;
}

// What may be found where it is not known what is read.
static void find_any(const struct scanner *from, const struct directive *is, char *place, int kind)
{
    if (is_integer(is->letter)) {
        store_integer(place, is->length, any_integer(from, is), kind);
        return;
    }
    if (sley_is_floating(is->letter)) {
        if (is->length)
            store_floating(place, 'l', from->is_input ? __sley_nondet_double() : __sley_unknown_double("sscanf"), 0, kind);
        else
            store_floating(place, 0, 0, from->is_input ? __sley_nondet_float() : __sley_unknown_float("sscanf"), kind);
        return;
    }
    if (is->letter != 'c')
        sley_scan_word(place, is->width ? is->width : from->most, is->letter == 's' ? 0 : is->members, from->is_input);
    else
        for (sley_size i = 0; i == 0 || i < is->width; i++)
            place[i] = from->is_input ? __sley_nondet_char() : __sley_unknown_char("sscanf");
    require_pointer(kind, SLEY_INTEGER + 1);
}

static _Bool is_modelled(const struct directive *is)
{
    if (is_integer(is->letter) || is->letter == 'n')
        return is->length != 'L' && is->length != 'm';
    if (sley_is_floating(is->letter))
        return !is->length || is->length == 'l';
    return (is->letter == 's' || is->letter == '[' || is->letter == 'c' || is->letter == '%') && !is->length;
}

// Whether something fits; only one that is stored is counted.
static _Bool convert(struct scanner *from, const struct directive *is, void *place, int kind)
{
    const char *behind = 0;
    if (!from->at) {
        _Bool is_found = any_bool(from->is_input);
        if (is_found && !is->is_suppressed)
            find_any(from, is, place, kind);
        return is_found;
    }
    if (is->letter == '%')
        behind = sley_scan_literal(sley_scan_white(from->at), '%');
    else
        behind = find(from->at, is, place, kind);
    if (behind)
        from->at = behind;
    return behind != 0;
}

static _Bool match(struct scanner *from, char c)
{
    if (is_white(c)) {
        if (from->at)
            from->at = sley_scan_white(from->at);
        return 1;
    }
    if (!from->at)
        return any_bool(from->is_input);
    const char *behind = sley_scan_literal(from->at, c);
    if (behind)
        from->at = behind;
    return behind != 0;
}

// The end comes before the first conversion, or what is there does not fit. Whether a conversion without a result counts
// as the first one, libraries do not agree.
static int nothing_found(const struct scanner *from, char letter, _Bool has_suppressed)
{
    if (!from->at)
        return from->is_input || any_bool(0) ? 0 : -1;
    int result = sley_scan_missing(from->at, letter && letter != 'c' && letter != '[');
    return has_suppressed && __sley_nondet_bool() ? 0 : result;
}

static int scan(struct scanner *from, const char *format, va_list given)
{
    int count = 0;
    _Bool has_suppressed = 0, is_found;
    while (*format) {
        struct directive is = {0, 0, 0, 0, 0};
        char c = *format++;
        void *place = 0;
        int kind = SLEY_ANY_ARGUMENT;
        if (c != '%') {
            is_found = match(from, c);
        } else {
            format = read_directive(&is, format);
            if (!is_modelled(&is))
                __sley_give_up("a conversion of scanf that is not modelled");
            if (is.letter != '%' && !is.is_suppressed) {
                kind = __sley_argument_kind(given);
                place = __builtin_va_arg(given, void *);
            }
            is_found = is.letter == 'n' || convert(from, &is, place, kind);
        }
        if (!is_found)
            return count ? count : nothing_found(from, is.letter, has_suppressed);
        if (is.letter == 'n' && !is.is_suppressed) {
            long long used = from->at ? (long long)(__sley_offset(from->at) - __sley_offset(from->start)) : any_integer(from, &is);
            __sley_assume(used >= 0);
            store_integer(place, is.length, used, kind);
        }
        count += c == '%' && !is.is_suppressed && is.letter != 'n' && is.letter != '%';
        has_suppressed |= is.is_suppressed;
    }
    return count;
}

// --- functions --------------------------------------------------------------------------------------

int vsscanf(const char *text, const char *format, va_list given)
{
    struct scanner from = {text, text, strlen(text), 0};
    if (__sley_is_text(text) || __sley_is_argument(text) || !__sley_is_known_text(text))
        from.at = 0;
    return scan(&from, format, given);
}

int vfscanf(void *stream, const char *format, va_list given)
{
    struct scanner from = {0, 0, (sley_size)-1, !__sley_mentions("ungetc")};
    if (!sley_read_from(stream) || !any_bool(from.is_input)) {
        sley_end_of_stream(stream);
        return -1;
    }
    return scan(&from, format, given);
}

int vscanf(const char *format, va_list given)
{
    return vfscanf(STANDARD_INPUT, format, given);
}

int sscanf(const char *text, const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    int count = vsscanf(text, format, given);
    __builtin_va_end(given);
    return count;
}

int fscanf(void *stream, const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    int count = vfscanf(stream, format, given);
    __builtin_va_end(given);
    return count;
}

int scanf(const char *format, ...)
{
    va_list given;
    __builtin_va_start(given, format);
    int count = vfscanf(STANDARD_INPUT, format, given);
    __builtin_va_end(given);
    return count;
}
