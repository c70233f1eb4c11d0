// POSIX semaphores, with and without names.
//
// To use a semaphore that is not initialised, or destroyed, or closed, is wrong, also for a thread that was waiting for it then.
#include "sley.h"

typedef struct sley_sem_t semaphore;

enum { LARGEST = __INT_MAX__ };

static void check(int state)
{
    __sley_check(state != SLEY_DESTROYED, "misuse", "use-destroyed", "a destroyed {} is used", "semaphore");
    __sley_check(state != SLEY_CLOSED, "misuse", "use-closed", "a semaphore is used after sem_close");
    __sley_check(state == SLEY_READY || state == SLEY_DESTROYED || state == SLEY_CLOSED, "misuse",
                 "use-uninitialised", "a {} is used that was not initialised", "semaphore");
}

int sem_init(semaphore *s, int shared, unsigned int value)
{
    __sley_rely_on(SLEY_ROOM);
    if (value > LARGEST)
        return sley_fails_with(SLEY_EINVAL);
    _Bool is_static = __sley_is_static(s);
    __sley_atomic_begin();
    _Bool was_initialised = is_static && s->state == SLEY_READY;
    s->value = value;
    s->state = SLEY_READY;
    __sley_atomic_end();
    __sley_check(!was_initialised, "misuse", "initialise-twice", "a semaphore is initialised twice");
    return 0;
}

int sem_wait(semaphore *s)
{
    __sley_atomic_begin();
    int state = s->state;
    unsigned int value = s->value;
    if (state == SLEY_READY) {
        __sley_await(value > 0);
        s->value = value - 1;
    }
    __sley_atomic_end();
    check(state);
    return 0;
}

int sem_trywait(semaphore *s)
{
    __sley_atomic_begin();
    int state = s->state;
    unsigned int value = s->value;
    _Bool is_free = value > 0 && !__sley_fails_anyway();
    if (is_free)
        s->value = value - 1;
    __sley_atomic_end();
    check(state);
    return is_free ? 0 : sley_fails_with(SLEY_EAGAIN);
}

// Whether the deadline is one need not be looked at if the value is not 0 (POSIX sem_timedwait); Linux does it always.
int sem_timedwait(semaphore *s, const struct sley_deadline *deadline)
{
    _Bool is_valid = sley_is_deadline(deadline);
    __sley_atomic_begin();
    int state = s->state;
    unsigned int value = s->value;
    _Bool is_late = (value == 0 || !is_valid || __sley_fails_anyway()) && __sley_nondet_bool();
    if (value == 0 && !is_valid) {
        is_late = 1;
    } else if (!is_late && state == SLEY_READY) {
        __sley_await(value > 0);
        s->value = value - 1;
    }
    __sley_atomic_end();
    check(state);
    return is_late ? sley_fails_with(is_valid ? SLEY_ETIMEDOUT : SLEY_EINVAL) : 0;
}

int sem_clockwait(semaphore *s, int clock, const struct sley_deadline *deadline)
{
    return sley_has_deadlines(clock) ? sem_timedwait(s, deadline) : sley_fails_with(SLEY_EINVAL);
}

int sem_post(semaphore *s)
{
    __sley_atomic_begin();
    int state = s->state;
    unsigned int value = s->value;
    if (value < LARGEST)
        s->value = value + 1;
    __sley_atomic_end();
    check(state);
    return value < LARGEST ? 0 : sley_fails_with(SLEY_EOVERFLOW);
}

// POSIX also lets it tell how many threads wait, as a negative number.
int sem_getvalue(semaphore *s, int *value)
{
    __sley_rely_on("sem_getvalue tells 0 where threads wait");
    check(s->state);
    *value = __sley_fails_anyway() ? __sley_nondet_int() : (int)s->value;
    return 0;
}

// --- semaphores with names --------------------------------------------------------------------------
// Opening a name again gives the same semaphore; a name that is unlinked is free for another one. All that is done
// with names is one step.

enum { MOST_NAMED = 4, WORDS = 4, LETTERS = 8, CREATE = 0100, EXCLUSIVE = 0200, NONE = -1 };

// The letters of a name, eight in a word: so names are compared without a loop over letters.
struct name {
    unsigned long long words[WORDS];
};

static struct {
    struct name name;                         // all zero once it is unlinked
    int opened;                               // how often it was, and not closed
    semaphore itself;
} sley_named[MOST_NAMED];
static int sley_named_count;

static const struct name no_name;

static struct name name_of(const char *text)
{
    struct name name = {{0}};
    for (int i = 0; text[i]; i++) {
        if (i == WORDS * LETTERS)
            __sley_give_up("the name of a semaphore has more than 32 characters");
        name.words[i / LETTERS] |= (unsigned long long)(unsigned char)text[i] << 8 * (i % LETTERS);
    }
    return name;
}

static _Bool is_same(struct name one, struct name other)
{
    return ((one.words[0] ^ other.words[0]) | (one.words[1] ^ other.words[1]) | (one.words[2] ^ other.words[2]) |
            (one.words[3] ^ other.words[3])) == 0;
}

static int place_of(struct name name)
{
    for (int i = 0; i < sley_named_count; i++)
        if (is_same(sley_named[i].name, name))
            return i;
    return NONE;
}

static int new_place(struct name name, unsigned int value)
{
    int place = sley_named_count;
    if (place == MOST_NAMED)
        __sley_give_up("more than 4 semaphores with names");
    sley_named_count = place + 1;
    sley_named[place].name = name;
    sley_named[place].itself.value = value;
    return place;
}

static semaphore *open_failed(int error)
{
    sley_sets_errno(error);
    return 0;
}

static semaphore *opened(struct name name, int flags, unsigned int value)
{
    int error = 0;
    __sley_atomic_begin();
    int place = place_of(name);
    if (place != NONE && (flags & CREATE) && (flags & EXCLUSIVE))
        error = SLEY_EEXIST;
    else if (place == NONE && !(flags & CREATE))
        error = SLEY_ENOENT;
    else if (place == NONE && value > LARGEST)
        error = SLEY_EINVAL;
    else {
        if (place == NONE)
            place = new_place(name, value);
        sley_named[place].opened++;
        sley_named[place].itself.state = SLEY_READY;
    }
    __sley_atomic_end();
    return error ? open_failed(error) : &sley_named[place].itself;
}

// May fail for want of permission, files, memory, and for other names than systems like.
semaphore *sem_open(const char *name, int flags, ...)
{
    __sley_rely_on("other processes have no semaphores of these names");
    struct name own = name_of(name);
    unsigned int value = 0;
    if (flags & CREATE) {
        __builtin_va_list arguments;
        __builtin_va_start(arguments, flags);
        __builtin_va_arg(arguments, unsigned int);
        value = __builtin_va_arg(arguments, unsigned int);
        __builtin_va_end(arguments);
    }
    if (is_same(own, no_name) || __sley_nondet_bool()) {
        sley_fails();
        return 0;
    }
    return opened(own, flags, value);
}

static int place_of_address(const semaphore *s)
{
    for (int i = 0; i < MOST_NAMED; i++)
        if (s == &sley_named[i].itself)
            return i;
    return NONE;
}

int sem_close(semaphore *s)
{
    int place = place_of_address(s);
    check(s->state);
    __sley_check(place != NONE, "misuse", "close-unnamed", "a semaphore without a name is closed");
    __sley_atomic_begin();
    int left = sley_named[place].opened - 1;
    sley_named[place].opened = left;
    if (left == 0)
        s->state = SLEY_CLOSED;
    __sley_atomic_end();
    return 0;
}

int sem_unlink(const char *name)
{
    struct name own = name_of(name);
    if (is_same(own, no_name) || __sley_nondet_bool())
        return sley_fails();
    __sley_atomic_begin();
    int place = place_of(own);
    if (place != NONE)
        sley_named[place].name = no_name;
    __sley_atomic_end();
    return place != NONE ? 0 : sley_fails_with(SLEY_ENOENT);
}

int sem_destroy(semaphore *s)
{
    int state = s->state;
    __sley_check(state != SLEY_DESTROYED, "misuse", "destroy-twice", "a semaphore is destroyed twice");
    check(state);
    __sley_check(!__sley_is_same_object(s, sley_named), "misuse", "destroy-named",
                 "a semaphore with a name is destroyed, not closed");
    s->state = SLEY_DESTROYED;
    return 0;
}
