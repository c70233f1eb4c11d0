// The environment: whether a variable is there is arbitrary, and does not change unless the program changes it.
//
// Names of up to 24 characters are kept as numbers. Of others, and of more than a few, nothing is kept: what is told
// about them is anything, and a bug that rests on it is a possible one only.
#include "sley.h"

sley_size strlen(const char *text);

enum { MOST_NAMES = 8, WORDS = 3, LONGEST_NAME = 8 * WORDS, UNKNOWN = -1 };

struct variable {
    unsigned long long name[WORDS];
    char *value;                              // null if it is not there
};

static struct variable sley_environment[MOST_NAMES];    // only looked at in atomic sections
static int sley_names_known;
static _Bool sley_is_cleared;                 // names that are not known are not there

// A change of the environment races with all uses of it (POSIX XSH 2.9.1, C11 7.22.4.6p2).
static int sley_environment_access;

static void look(void)
{
    int access = sley_environment_access;
}

static void change(void)
{
    sley_environment_access = 0;
}

// How long a name is, which ends before an equals sign.
static sley_size pack(const char *name, unsigned long long *words)
{
    sley_size length = 0;
    for (int word = 0; word < WORDS; word++)
        words[word] = 0;
    for (; name[length] && name[length] != '='; length++)
        if (length < LONGEST_NAME)
            words[length / 8] |= (unsigned long long)(unsigned char)name[length] << 8 * (length % 8);
    return length;
}

// A later call may write over what an earlier one has found (C11 7.22.4.6p4).
static char *text_of(int place)
{
    if (place == 1)
        __sley_rely_on("texts that getenv returns stay as they are");
    return place < SLEY_VARIABLES ? __sley_variable(place) : __sley_text("getenv");
}

// In atomic sections: where a name stands, which is made known; UNKNOWN if there is no room.
static int find(const unsigned long long *words)
{
    int place = 0;
    for (; place < sley_names_known; place++) {
        struct variable *one = &sley_environment[place];
        if (one->name[0] == words[0] && one->name[1] == words[1] && one->name[2] == words[2])
            return place;
    }
    if (place == MOST_NAMES)
        return UNKNOWN;
    for (int word = 0; word < WORDS; word++)
        sley_environment[place].name[word] = words[word];
    sley_environment[place].value = sley_is_cleared || __sley_nondet_bool() ? 0 : text_of(place);
    sley_names_known = place + 1;
    return place;
}

static char *anything(void)
{
    return __sley_unknown_bool("getenv") ? 0 : __sley_text("getenv");
}

char *getenv(const char *name)
{
    unsigned long long words[WORDS];
    look();
    if (__sley_is_text(name))
        return anything();
    sley_size length = pack(name, words);
    if (length == 0 || name[length])
        return 0;
    if (length > LONGEST_NAME)
        return anything();
    __sley_atomic_begin();
    int place = find(words);
    char *value = place < 0 ? 0 : sley_environment[place].value;
    __sley_atomic_end();
    return place < 0 ? anything() : value;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

// --- changing it ------------------------------------------------------------------------------------

static void forget(void)
{
    __sley_assume(__sley_unknown_bool("setenv"));
}

// From now on it has this value, unless it has one and is not to get another.
static void set(const unsigned long long *words, char *value, int overwrite)
{
    __sley_atomic_begin();
    int place = find(words);
    if (place >= 0 && (overwrite || !sley_environment[place].value))
        sley_environment[place].value = value;
    __sley_atomic_end();
    if (place < 0)
        forget();
}

// What was set is never freed, as other texts of the environment are not.
static char *copy(const char *value)
{
    if (__sley_is_text(value))
        return (char *)value;
    sley_size length = strlen(value);
    char *made = __sley_kept_block(length + 1);
    for (sley_size at = 0; at <= length; at++)
        made[at] = value[at];
    return made;
}

// The name as words; 0 if it is none.
static _Bool is_name(const char *name, unsigned long long *words)
{
    sley_size length = name ? pack(name, words) : 0;
    if (length > LONGEST_NAME)
        forget();
    return length && !name[length];
}

int setenv(const char *name, const char *value, int overwrite)
{
    unsigned long long words[WORDS];
    __sley_rely_on("malloc succeeds");
    change();
    if (__sley_is_text(name))
        __sley_give_up("a variable of the environment is set whose name comes from outside");
    if (!is_name(name, words))
        return sley_fails_with(SLEY_EINVAL);
    set(words, copy(value), overwrite);
    sley_touches_errno();
    return 0;
}

int unsetenv(const char *name)
{
    unsigned long long words[WORDS];
    change();
    if (__sley_is_text(name))
        __sley_give_up("a variable of the environment is removed whose name comes from outside");
    if (!is_name(name, words))
        return sley_fails_with(SLEY_EINVAL);
    set(words, 0, 1);
    sley_touches_errno();
    return 0;
}

// The text itself becomes part of the environment; without an equals sign, the variable is removed (glibc).
int putenv(char *definition)
{
    unsigned long long words[WORDS];
    __sley_rely_on("malloc succeeds");
    change();
    if (__sley_is_text(definition))
        __sley_give_up("a text from outside becomes part of the environment");
    sley_size length = pack(definition, words);
    if (length > LONGEST_NAME)
        forget();
    set(words, definition[length] ? definition + length + 1 : 0, 1);
    sley_touches_errno();
    return 0;
}

int clearenv(void)
{
    change();
    __sley_atomic_begin();
    sley_names_known = 0;
    sley_is_cleared = 1;
    __sley_atomic_end();
    return 0;
}
