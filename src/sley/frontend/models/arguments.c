// The arguments of the program where they may be any, and values of the environment: what is looked at is decided
// then, and stays.
//
// Of the first arguments, of the values that options have in them (`__sley_rest_of`), and of the first values of the
// environment are known: the length, the first characters, and the number that the text begins with. One that was asked for its number has characters that
// are not known, and one whose characters were looked at has a number that is not known.
#include "sley.h"

enum {
    OF_ARGUMENTS = 8,                         // so many texts of arguments have contents, and
    TEXTS = OF_ARGUMENTS + SLEY_VARIABLES,    // of all; the others are texts from outside
    KNOWN_CHARACTERS = 16,
#if __SIZEOF_POINTER__ == 8
    APART = 1 << 18,                          // bytes from one text to the next
    LONGEST = SLEY_LONGEST_TEXT,
#else
    APART = 1 << 9,
    LONGEST = 255,
#endif
    LONGEST_NUMBER = 24,                      // characters, with some white space before
    DECIDED = 256,
};

static _Atomic _Bool sley_argument_is_read[TEXTS];
static _Atomic short sley_argument_characters[TEXTS * KNOWN_CHARACTERS];    // DECIDED and the character
static _Atomic _Bool sley_argument_is_number[TEXTS];
static _Atomic long long sley_argument_numbers[TEXTS];
static _Atomic sley_size sley_argument_lengths[TEXTS];                      // and 1; 0 is undecided

static sley_size which(const char *text)
{
    return __sley_offset(text) / APART;
}

// The numbers that so many characters can write. White space or zeros before them need more.
enum { ROOM_FOR_ALL = 20 };

static const long long largest[ROOM_FOR_ALL] = {
    0, 9, 99, 999, 9999, 99999, 999999, 9999999, 99999999, 999999999, 9999999999LL, 99999999999LL, 999999999999LL,
    9999999999999LL, 99999999999999LL, 999999999999999LL, 9999999999999999LL, 99999999999999999LL,
    999999999999999999LL, 0x7fffffffffffffffLL,
};

static const long long smallest[ROOM_FOR_ALL] = {
    0, 0, -9, -99, -999, -9999, -99999, -999999, -9999999, -99999999, -999999999, -9999999999LL, -99999999999LL,
    -999999999999LL, -9999999999999LL, -99999999999999LL, -999999999999999LL, -9999999999999999LL,
    -99999999999999999LL, -999999999999999999LL,
};

static _Bool fits(long long number, sley_size room)
{
    return room >= ROOM_FOR_ALL || (smallest[room] <= number && number <= largest[room]);
}

// What is drawn is drawn before the section that decides: no section waits for an input that fits. Where the number
// needs more room than was drawn, it gets as much as it needs.
static sley_size sley_argument_length_of(sley_size text)
{
    sley_size length = sley_argument_lengths[text];
    if (length)
        return length - 1;
    sley_size drawn = __sley_nondet_ulong();
    __sley_assume(drawn <= LONGEST);
    if (LONGEST < SLEY_LONGEST_TEXT)
        __sley_rely_on("arguments of the program have fewer than 256 characters");
    __sley_atomic_begin();
    length = sley_argument_lengths[text];
    if (!length) {
        _Bool is_enough = !sley_argument_is_number[text] || fits(sley_argument_numbers[text], drawn);
        length = 1 + (is_enough ? drawn : ROOM_FOR_ALL);
        sley_argument_lengths[text] = length;
    }
    __sley_atomic_end();
    return length - 1;
}

static void require_inside(sley_size text, sley_size at, sley_size length)
{
    __sley_check(at <= length || text >= OF_ARGUMENTS, "deref", "behind-argument",
                 "an argument of the program is read behind its end");
    __sley_check(at <= length || text < OF_ARGUMENTS, "deref", "behind-argument",
                 "a variable of the environment is read behind its end");
}

sley_size sley_argument_length(const char *text)
{
    sley_size one = which(text), length = sley_argument_length_of(one), at = __sley_offset(text) % APART;
    require_inside(one, at, length);
    return length - at;
}

static char sley_argument_decided(sley_size text, sley_size at)
{
    short known = sley_argument_characters[text * KNOWN_CHARACTERS + at];
    if (known)
        return (char)known;
    char drawn = __sley_nondet_char();
    __sley_assume(drawn);
    __sley_atomic_begin();
    known = sley_argument_characters[text * KNOWN_CHARACTERS + at];
    if (!known) {
        known = (short)(DECIDED | (unsigned char)drawn);
        sley_argument_characters[text * KNOWN_CHARACTERS + at] = known;
        sley_argument_is_read[text] = 1;
    }
    __sley_atomic_end();
    return (char)known;
}

// What is not known of a text is told by where it comes from.
static char unknown_character(sley_size text)
{
    char character = text < OF_ARGUMENTS ? __sley_unknown_char("an argument of the program")
                                         : __sley_unknown_char("a variable of the environment");
    __sley_assume(character);
    return character;
}

// What the front end calls where a character of an argument is read.
char sley_argument_character(const char *place)
{
    sley_size text = which(place), at = __sley_offset(place) % APART;
    sley_size length = sley_argument_length(place - at);
    require_inside(text, at, length);
    if (at == length)
        return 0;
    if (at < KNOWN_CHARACTERS && !sley_argument_is_number[text])
        return sley_argument_decided(text, at);
    return unknown_character(text);
}

static unsigned int unknown_bits(sley_size text)
{
    if (text < OF_ARGUMENTS)
        return __sley_unknown_uint("an argument of the program");
    return __sley_unknown_uint("a variable of the environment");
}

// Made of halves, as what is 64 bits wide and unknown may be an address.
static long long unknown_number(sley_size text)
{
    unsigned long long high = unknown_bits(text);
    return (long long)(high << 32 | unknown_bits(text));
}

// The number that an argument begins with, or 0; the models of `strtol` and its kin call it. It is an input of the
// program if the characters were not looked at.
long long sley_argument_number(const char *text)
{
    sley_size one = which(text);
    if (sley_argument_is_read[one] || __sley_offset(text) % APART)
        return unknown_number(one);
    if (sley_argument_is_number[one])
        return sley_argument_numbers[one];
    long long drawn = __sley_nondet_longlong();
    __sley_atomic_begin();
    if (!sley_argument_is_number[one]) {
        sley_size length = sley_argument_lengths[one];
        sley_argument_numbers[one] = !length || fits(drawn, length - 1) ? drawn : 0;
        sley_argument_is_number[one] = 1;
    }
    long long number = sley_argument_numbers[one];
    __sley_atomic_end();
    return number;
}

// Where that number ends.
char *sley_argument_end(const char *text, long long number)
{
    sley_size length = sley_argument_length(text);
    sley_size end = length;
    if (__sley_nondet_bool()) {
        end = __sley_unknown_ulong("where the number in an argument of the program ends");
        __sley_assume(end < length && end < LONGEST_NUMBER && fits(number, end));
    }
    __sley_assume(end || number == 0);
    return (char *)text + end;
}
