// Characters in the "C" locale, with the results that glibc gives.
#include "sley.h"

_Bool sley_is_foreign(int category);

enum { BLANK = 1, CONTROL = 2, PUNCTUATION = 4, ALPHANUMERIC = 8, UPPER = 256, LOWER = 512, ALPHABETIC = 1024 };
enum { DIGIT = 2048, HEXADECIMAL = 4096, SPACE = 8192, PRINTABLE = 16384, GRAPHIC = 32768 };

static _Bool is_between(int c, int first, int last)
{
    return first <= c && c <= last;
}

static _Bool is_letter(int c)
{
    return is_between(c | 32, 'a', 'z') && is_between(c, 0, 127);
}

// Other numbers are no characters (C11 7.4p1): negative ones of type `char`, for instance.
static void require_character(int c)
{
    __sley_check(is_between(c, -1, 255), "deref", "character-out-of-range",
                 "a character function is called with a number that is no character");
}

static _Bool is_of_locale(int c)
{
    enum { CHARACTERS = 0 };
    return sley_is_foreign(CHARACTERS) && c > 127;
}

// What another locale than "C" says is not kept: from the second time on, a bug that rests on it is a possible one.
static _Bool says_locale(void)
{
    static _Atomic _Bool sley_was_asked;
    if (sley_was_asked)
        return __sley_unknown_bool("setlocale");
    sley_was_asked = 1;
    return __sley_nondet_bool();
}

static int result(int c, _Bool is_in, int value)
{
    require_character(c);
    if (is_of_locale(c))
        is_in = says_locale();
    return is_in ? value : 0;
}

int isalnum(int c)
{
    return result(c, is_letter(c) || is_between(c, '0', '9'), ALPHANUMERIC);
}

int isalpha(int c)
{
    return result(c, is_letter(c), ALPHABETIC);
}

int isblank(int c)
{
    return result(c, c == ' ' || c == '\t', BLANK);
}

int iscntrl(int c)
{
    return result(c, is_between(c, 0, 31) || c == 127, CONTROL);
}

// Digits are the same everywhere (C11 7.4.1.5p2).
int isdigit(int c)
{
    require_character(c);
    return is_between(c, '0', '9') ? DIGIT : 0;
}

int isgraph(int c)
{
    return result(c, is_between(c, 33, 126), GRAPHIC);
}

int islower(int c)
{
    return result(c, is_between(c, 'a', 'z'), LOWER);
}

int isprint(int c)
{
    return result(c, is_between(c, 32, 126), PRINTABLE);
}

int ispunct(int c)
{
    return result(c, is_between(c, 33, 126) && !is_letter(c) && !is_between(c, '0', '9'), PUNCTUATION);
}

int isspace(int c)
{
    return result(c, is_between(c, '\t', '\r') || c == ' ', SPACE);
}

int isupper(int c)
{
    return result(c, is_between(c, 'A', 'Z'), UPPER);
}

int isxdigit(int c)
{
    require_character(c);
    return is_between(c, '0', '9') || is_between(c, 'a', 'f') || is_between(c, 'A', 'F') ? HEXADECIMAL : 0;
}

// In some locales even the letter i has another partner.
static int turned(int c, _Bool is_turned)
{
    enum { CHARACTERS = 0 };
    require_character(c);
    if (sley_is_foreign(CHARACTERS) && (c > 127 || (c | 32) == 'i') && says_locale()) {
        int other = __sley_unknown_int("setlocale");
        __sley_assume(is_between(other, 0, 255));
        return other;
    }
    return is_turned ? c ^ 32 : c;
}

int tolower(int c)
{
    return turned(c, is_between(c, 'A', 'Z'));
}

int toupper(int c)
{
    return turned(c, is_between(c, 'a', 'z'));
}

int isascii(int c)
{
    return is_between(c, 0, 127);
}

int toascii(int c)
{
    return c & 127;
}
