// The arguments of the program where they may be any: what somebody looks at is decided then, and stays.
//
// Of the first arguments, and of the values that options have in them (`__sley_rest_of`), are known: the length, the
// first characters, and the number that the text begins with. One that was asked for its number has characters that
// are not known, and one whose characters were looked at has a number that is not known.
#include "sley.h"

enum {
    TEXTS = 8,                                // so many have contents; the others are texts from outside
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

// How many characters a number has at least. White space or zeros before it make it longer.
static sley_size digits(long long number)
{
    unsigned long long rest = number, most = 9;
    if (number == 0)
        return 0;
    if (number < 0)
        rest = -rest;
    sley_size count = 1 + (number < 0);
    for (int i = 0; i < 18; i++) {
        count += rest > most;
        most = 10 * most + 9;
    }
    return count;
}

static sley_size sley_argument_length_of(sley_size text)
{
    sley_size length = sley_argument_lengths[text];
    if (!length) {
        length = 1 + __sley_nondet_ulong();
        sley_size least = sley_argument_is_number[text] ? digits(sley_argument_numbers[text]) : 0;
        __sley_assume(least < length && length - 1 <= LONGEST);
        if (LONGEST < SLEY_LONGEST_TEXT)
            __sley_rely_on("arguments of the program have fewer than 256 characters");
        sley_argument_lengths[text] = length;
    }
    return length - 1;
}

sley_size sley_argument_length(const char *text)
{
    sley_size number = which(text), at = __sley_offset(text) % APART;
    __sley_atomic_begin();
    sley_size length = sley_argument_length_of(number);
    __sley_atomic_end();
    __sley_check(at <= length, "deref", "behind-argument", "an argument of the program is read behind its end");
    return length - at;
}

static char sley_argument_decided(sley_size text, sley_size at)
{
    short known = sley_argument_characters[text * KNOWN_CHARACTERS + at];
    if (!known) {
        char character = __sley_nondet_char();
        __sley_assume(character);
        known = (short)(DECIDED | (unsigned char)character);
        sley_argument_characters[text * KNOWN_CHARACTERS + at] = known;
        sley_argument_is_read[text] = 1;
    }
    return (char)known;
}

// What the front end calls where a character of an argument is read.
char sley_argument_character(const char *place)
{
    sley_size text = which(place), at = __sley_offset(place) % APART;
    sley_size length = sley_argument_length(place - at);
    __sley_check(at <= length, "deref", "behind-argument", "an argument of the program is read behind its end");
    if (at == length)
        return 0;
    if (at < KNOWN_CHARACTERS && !sley_argument_is_number[text]) {
        __sley_atomic_begin();
        char known = sley_argument_decided(text, at);
        __sley_atomic_end();
        return known;
    }
    char character = __sley_unknown_char("an argument of the program");
    __sley_assume(character);
    return character;
}

// Made of halves, as what is 64 bits wide and unknown may be an address.
static long long unknown_number(void)
{
    unsigned long long high = __sley_unknown_uint("an argument of the program");
    return (long long)(high << 32 | __sley_unknown_uint("an argument of the program"));
}

// The number that an argument begins with, or 0; the models of `strtol` and its kin call it. It is an input of the
// program if nobody has looked at the characters.
long long sley_argument_number(const char *text)
{
    sley_size one = which(text);
    if (sley_argument_is_read[one] || __sley_offset(text) % APART)
        return unknown_number();
    __sley_atomic_begin();
    if (!sley_argument_is_number[one]) {
        long long number = __sley_nondet_longlong();
        sley_size length = sley_argument_lengths[one];
        __sley_assume(!length || digits(number) < length);
        sley_argument_numbers[one] = number;
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
        __sley_assume(end < length && end < LONGEST_NUMBER && (end ? digits(number) <= end : number == 0));
    }
    __sley_assume(end || number == 0);
    return (char *)text + end;
}
