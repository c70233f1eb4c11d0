// Characters in the "C" locale, with the results that glibc gives.
#include "sley.h"

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

static int result(int c, _Bool is_in, int value)
{
    __sley_check(is_between(c, -128, 255), "deref", "character-out-of-range",
                 "a character function is called with a number that is no character");
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

int isdigit(int c)
{
    return result(c, is_between(c, '0', '9'), DIGIT);
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
    return result(c, is_between(c, '0', '9') || is_between(c, 'a', 'f') || is_between(c, 'A', 'F'), HEXADECIMAL);
}

int tolower(int c)
{
    return is_between(c, 'A', 'Z') ? c + 32 : c;
}

int toupper(int c)
{
    return is_between(c, 'a', 'z') ? c - 32 : c;
}
