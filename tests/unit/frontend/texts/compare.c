// Draws formats and values, and compares what the models make of them with what this C library does. Prints what differs.
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 30000, ROOM = 400 };

int sley_snprintf(char *target, size_t size, const char *format, ...);
int sley_sscanf(const char *text, const char *format, ...);
size_t sley_put_double(char *target, size_t size, size_t at, double x, char letter, char plus, int flags, int precision,
                       size_t width);
extern jmp_buf left_out;
extern _Bool is_known;
extern size_t lengths[2];
extern int taken;

static unsigned long long state;
static unsigned compared, different;

static unsigned long long drawn(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static int below(int end) { return (int)(drawn() % (unsigned)end); }

static double drawn_double(void)
{
    switch (below(8)) {
    case 0: return (below(2000) - 800) / 8.0;
    case 1: return below(100000) / 1000.0;
    case 2: return (double)drawn() / 1e15 * pow(10, below(36) - 18);
    case 3: return below(1000);
    case 4: return pow(10, below(38) - 19);
    case 5: return -below(1000000) / (below(999) + 1.0);
    case 6: return 9.9999999999 * pow(10, below(12) - 6);
    default: return below(5) * 0.5;
    }
}

static void draw_directive(char *format, const char *length, const char *letters)
{
    const char *flags = "-+ #0";
    char *at = format + sprintf(format, "%%");
    for (; *flags; flags++)
        if (!below(5))
            *at++ = *flags;
    if (below(2))
        at += sprintf(at, "%d", 1 + below(20));
    if (below(2))
        at += sprintf(at, ".%d", below(below(9) ? 9 : 30));
    sprintf(at, "%s%c|", length, letters[below((int)strlen(letters))]);
}

static void note(const char *format, const char *wanted, const char *found, int wanted_length, int length, size_t size)
{
    compared++;
    if (wanted_length == length && !memcmp(wanted, found, ROOM))
        return;
    if (different++ < 10)
        printf("%s in %zu: %d and %d, <%.*s> and <%.*s>\n", format, size, wanted_length, length, ROOM, wanted, ROOM, found);
}

static void compare_doubles(void)
{
    for (volatile int i = 0; i < ROUNDS; i++) {
        char format[40], wanted[ROOM] = "", found[ROOM] = "";
        draw_directive(format, "", "fFeEgG");
        double x = drawn_double();
        size_t size = below(4) ? ROOM : (size_t)below(12);
        int length = snprintf(wanted, size, format, x);
        if (!setjmp(left_out))
            note(format, wanted, found, length, sley_snprintf(found, size, format, x), size);
    }
}

static void compare_integers(void)
{
    static const char *const narrow[] = {"", "h", "hh"}, *const wide[] = {"l", "ll", "z", "j", "t"};
    for (volatile int i = 0; i < ROUNDS; i++) {
        char format[40], wanted[ROOM] = "", found[ROOM] = "";
        _Bool is_narrow = below(2);
        draw_directive(format, is_narrow ? narrow[below(3)] : wide[below(5)], "diuxXo");
        long long x = (long long)(drawn() >> below(64)) * (below(2) ? 1 : -1);
        size_t size = below(4) ? ROOM : (size_t)below(12);
        int length = is_narrow ? snprintf(wanted, size, format, (int)x) : snprintf(wanted, size, format, x);
        if (setjmp(left_out))
            continue;
        int other = is_narrow ? sley_snprintf(found, size, format, (int)x) : sley_snprintf(found, size, format, x);
        note(format, wanted, found, length, other, size);
    }
}

static void compare_scans(void)
{
    static const char *const words[] = {"1", "23", "-4", "+", "0", "0x1F", " ", "  ", "abc", "z9",
                                        ".5", "e2", ",", ":", "017", "2.50", "\t", "9"};
    static const char *const directives[] = {"%d", "%x", "%i", "%2d", "%3s", "%7s", "%[a-z]", "%2[^ 0-9]", "%c", "%2c", "%lf",
                                             "%f", "%n", "%*d%d", "%4lf", "%hd", "%ld", "%[]0-9-]"};
    static const char *const between[] = {",", " ", ":", "%%", "", "", "", ""};
    for (volatile int i = 0; i < ROUNDS; i++) {
        char text[64] = "", format[64] = "", wanted[ROOM] = "", found[ROOM] = "";
        for (int count = below(9); count > 0; count--)
            strcat(text, words[below(18)]);
        for (int count = 1 + below(3); count > 0; count--) {
            strcat(format, directives[below(18)]);
            strcat(format, between[below(8)]);
        }
        int count = sscanf(text, format, wanted, wanted + 64, wanted + 128);
        if (!setjmp(left_out))
            note(format, wanted, found, count, sley_sscanf(text, format, found, found + 64, found + 128), strlen(text));
    }
}

// Of a number that is not known, the length is one of those that it may have.
static void compare_lengths(void)
{
    is_known = 0;
    for (volatile int i = 0; i < ROUNDS / 10; i++) {
        char format[40], text[ROOM];
        volatile int precision = below(3) ? below(9) : -1, is_alternate = !below(4);
        volatile char letter = "fFeEgGaA"[below(8)];
        volatile double x = below(3) ? drawn_double() : ldexp(drawn_double(), below(1600) - 800);
        sprintf(format, precision < 0 ? "%%%s%c" : "%%%s.*%c", is_alternate ? "#" : "", letter);
        size_t wanted = (size_t)(precision < 0 ? snprintf(text, ROOM, format, x) : snprintf(text, ROOM, format, precision, x));
        volatile _Bool is_found = 0;
        for (volatile int guess = 0; guess < 4 * ROOM && !is_found; guess++) {
            lengths[guess & 1] = (size_t)guess / 4;
            lengths[!(guess & 1)] = (size_t)guess / 2 % 2;
            taken = 0;
            if (!setjmp(left_out))
                is_found = sley_put_double(0, 0, 0, x, letter, 0, is_alternate ? 4 : 0, precision, 0) == wanted;
        }
        compared++;
        different += !is_found;
        if (!is_found)
            printf("%s of %g: never %zu long\n", format, x, wanted);
    }
    is_known = 1;
}

int main(int argc, char **argv)
{
    state = 0x9e3779b97f4a7c15ull * (unsigned long long)(1 + atoi(argv[argc - 1]));
    compare_doubles();
    compare_integers();
    compare_scans();
    compare_lengths();
    printf("%u compared, %u different\n", compared, different);
    return different || compared < 3 * ROUNDS;
}
