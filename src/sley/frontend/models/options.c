// Options of the command line, as glibc finds them: exactly where the arguments are known, any that fit otherwise.
//
// All calls share what they keep, accessed plainly: concurrent ones race (POSIX XSH 2.9.1). Messages about wrong
// options go to stderr, which nothing depends on.
#include "sley.h"

char *optarg;
int optind = 1, opterr = 1, optopt;

struct sley_option {
    const char *name;
    int has_value;
    int *flag;
    int value;
};

enum { NO_VALUE, NEEDS_VALUE, MAY_HAVE_VALUE };
enum { PERMUTES, KEEPS_ORDER, RETURNS_OTHERS };

static const char *sley_next;                 // in an argument, behind the options that were found in it; or null
static int sley_first, sley_last;             // arguments that are no options, passed over: from, and to before
static int sley_order;
static int sley_expected;                     // `optind` after the last call, 0 before the first, -1 after the last option

static void start(const char *options)
{
    if (optind == 0)
        optind = 1;
    sley_first = sley_last = optind;
    sley_next = 0;
    sley_order = *options == '-' ? RETURNS_OTHERS : *options == '+' ? KEEPS_ORDER : PERMUTES;
    __sley_rely_on("POSIXLY_CORRECT is not set in the environment");
}

// What the option has behind it in the list of options; -1 if there is no such option.
static int value_of(const char *options, char option)
{
    if (option == ':' || option == ';')
        return -1;
    for (; *options; options++)
        if (*options == option)
            return options[1] != ':' ? NO_VALUE : options[2] != ':' ? NEEDS_VALUE : MAY_HAVE_VALUE;
    return -1;
}

static int missing(const char *options)
{
    return *options == ':' ? ':' : '?';
}

static int found_name(const struct sley_option *names, int at, int *index)
{
    if (index)
        *index = at;
    if (!names[at].flag)
        return names[at].value;
    *names[at].flag = names[at].value;
    return 0;
}

// --- arguments that are known -----------------------------------------------------------------------

static _Bool is_other(const char *argument)
{
    return argument[0] != '-' || !argument[1];
}

// Options found behind others go before them; all stay in their order.
static void exchange(char **arguments)
{
    for (int from = sley_last, to = sley_first; from < optind; from++, to++) {
        char *moved = arguments[from];
        for (int i = from; i > to; i--)
            arguments[i] = arguments[i - 1];
        arguments[to] = moved;
    }
    sley_first += optind - sley_last;
    sley_last = optind;
}

static void pass_over_others(int count, char **arguments)
{
    if (sley_last > optind)
        sley_last = optind;
    if (sley_first > optind)
        sley_first = optind;
    if (sley_order != PERMUTES)
        return;
    if (sley_first != sley_last && sley_last != optind)
        exchange(arguments);
    else if (sley_last != optind)
        sley_first = optind;
    while (optind < count && is_other(arguments[optind]))
        optind++;
    sley_last = optind;
}

static void pass_over_end(int count, char **arguments)
{
    const char *argument = arguments[optind];
    if (argument[0] != '-' || argument[1] != '-' || argument[2])
        return;
    optind++;
    if (sley_first != sley_last && sley_last != optind)
        exchange(arguments);
    else if (sley_first == sley_last)
        sley_first = optind;
    sley_last = optind = count;
}

// Whether a name is the given one, or begins with it: 2, 1; else 0.
static int fit(const char *name, const char *given, sley_size length)
{
    for (sley_size i = 0; i < length; i++)
        if (name[i] != given[i])
            return 0;
    return name[length] ? 1 : 2;
}

// The option with this name, or the only kind that begins with it; -1: none, or several.
static int named(const struct sley_option *names, const char *given, sley_size length)
{
    int found = -1;
    _Bool is_ambiguous = 0;
    for (int i = 0; names[i].name; i++) {
        int how = fit(names[i].name, given, length);
        if (how == 2)
            return i;
        if (how && found < 0)
            found = i;
        else if (how && (names[found].has_value != names[i].has_value || names[found].flag != names[i].flag ||
                         names[found].value != names[i].value))
            is_ambiguous = 1;
    }
    return is_ambiguous ? -1 : found;
}

static int long_option(int count, char **arguments, const char *options, const struct sley_option *names, int *index)
{
    char *given = arguments[optind] + 2;
    sley_size length = 0;
    while (given[length] && given[length] != '=')
        length++;
    int at = named(names, given, length);
    optind++;
    sley_next = 0;
    if (at < 0) {
        optopt = 0;
        return '?';
    }
    if (given[length] && !names[at].has_value) {
        optopt = names[at].value;
        return '?';
    }
    if (given[length]) {
        optarg = given + length + 1;
    } else if (names[at].has_value == NEEDS_VALUE) {
        if (optind >= count) {
            optopt = names[at].value;
            return missing(options);
        }
        optarg = arguments[optind++];
    }
    return found_name(names, at, index);
}

static int short_option(int count, char **arguments, const char *options)
{
    char option = *sley_next++;
    int value = value_of(options, option);
    if (!*sley_next)
        optind++;
    if (value < 0) {
        optopt = option;
        return '?';
    }
    if (value == NO_VALUE)
        return option;
    if (*sley_next) {
        optarg = (char *)sley_next;
        optind++;
    } else if (value == NEEDS_VALUE && optind == count) {
        optopt = option;
        option = (char)missing(options);
    } else if (value == NEEDS_VALUE) {
        optarg = arguments[optind++];
    }
    sley_next = 0;
    return option;
}

static int next_option(int count, char **arguments, const char *options, const struct sley_option *names, int *index)
{
    if (!sley_next || !*sley_next) {
        pass_over_others(count, arguments);
        if (optind != count)
            pass_over_end(count, arguments);
        if (optind == count) {
            if (sley_first != sley_last)
                optind = sley_first;
            return -1;
        }
        if (is_other(arguments[optind])) {
            if (sley_order == KEEPS_ORDER)
                return -1;
            optarg = arguments[optind++];
            return 1;
        }
        if (names && arguments[optind][1] == '-')
            return long_option(count, arguments, options, names, index);
        sley_next = arguments[optind] + 1;
    }
    return short_option(count, arguments, options);
}

// --- arguments that may be any ----------------------------------------------------------------------
// Each call finds what some arguments lead to; what these are is not kept, so nothing is known of a second look.

static char sley_free;                        // stands for the rest of an argument with options

// The next option may stand behind other arguments; before these are those that options took, to before `sley_first`.
static void guess_others(int count)
{
    if (sley_order == PERMUTES) {
        int at = __sley_nondet_int();
        __sley_assume(optind <= at && at <= count);
        optind = at;
    }
}

static void take(void)
{
    optind++;
    sley_first++;
}

// The value of the option: the rest of its argument, or the next one, if there is one.
static int guess_value(int count, char **arguments, const char *options, int option, int kind)
{
    char *attached = __sley_rest_of(arguments[optind]);
    sley_next = 0;
    take();
    if (__sley_nondet_bool()) {
        optarg = attached;
    } else if (kind == NEEDS_VALUE) {
        if (optind >= count) {
            optopt = option;
            return missing(options);
        }
        optarg = arguments[optind];
        take();
    }
    return option;
}

static int guess_name(int count, char **arguments, const char *options, const struct sley_option *names, int *index)
{
    int at = 0;
    while (names[at].name && __sley_nondet_bool())
        at++;
    if (!names[at].name) {
        optopt = 0;
        take();
        return '?';
    }
    int found = 0;
    if (names[at].has_value != NO_VALUE) {
        found = guess_value(count, arguments, options, 0, names[at].has_value);
    } else {
        take();
        found = __sley_nondet_bool() ? '?' : 0;
    }
    if (found) {
        optopt = names[at].value;
        return found;
    }
    return found_name(names, at, index);
}

static int guess_letter(int count, char **arguments, const char *options)
{
    char option = __sley_nondet_char();
    __sley_assume(option);
    int kind = value_of(options, option);
    if (kind > NO_VALUE)
        return guess_value(count, arguments, options, option, kind);
    sley_next = __sley_nondet_bool() ? &sley_free : 0;
    if (!sley_next)
        take();
    if (kind == NO_VALUE)
        return option;
    optopt = option;
    return '?';
}

static int guess(int count, char **arguments, const char *options, const struct sley_option *names, int *index)
{
    if (!sley_next) {
        guess_others(count);
        if (optind >= count || __sley_nondet_bool()) {
            if (optind < count && sley_order == RETURNS_OTHERS && __sley_nondet_bool()) {
                optarg = arguments[optind];
                take();
                return 1;
            }
            _Bool is_ended = optind < count && (sley_order == RETURNS_OTHERS || __sley_nondet_bool());
            optind = sley_first + is_ended;   // `--` ends options
            return -1;
        }
        if (names && __sley_nondet_bool())
            return guess_name(count, arguments, options, names, index);
    }
    return guess_letter(count, arguments, options);
}

// A second round over the same arguments finds the same: what that was is not kept.
static void guess_again(void)
{
    if (sley_expected && sley_expected != optind)
        optopt = __sley_unknown_int("getopt");
}

// ----------------------------------------------------------------------------------------------------

static int option_of(int count, char *const given[], const char *options, const struct sley_option *names, int *index)
{
    char **arguments = (char **)given;
    _Bool is_free = __sley_is_free(arguments);
    if (count < 1)
        return -1;
    optarg = 0;
    if (is_free)
        guess_again();
    if (optind == 0 || !sley_expected)
        start(options);
    if (*options == '-' || *options == '+')
        options++;
    int found = is_free ? guess(count, arguments, options, names, index)
                        : next_option(count, arguments, options, names, index);
    sley_expected = found < 0 ? -1 : optind;
    return found;
}

int getopt(int count, char *const arguments[], const char *options)
{
    return option_of(count, arguments, options, 0, 0);
}

int getopt_long(int count, char *const arguments[], const char *options, const struct sley_option *names, int *index)
{
    return option_of(count, arguments, options, names, index);
}
