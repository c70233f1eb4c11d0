// POSIX semaphores, with and without names.
//
// To use a semaphore that is not initialised, or destroyed, is wrong, also for who was waiting for it then.
#include "sley.h"

typedef struct sley_sem_t semaphore;

int *__errno_location(void);
int strcmp(const char *one, const char *other);

enum { LARGEST = __INT_MAX__ };

static int failed(int error)
{
    *__errno_location() = error;
    return -1;
}

static void check(int state)
{
    __sley_check(state != SLEY_DESTROYED, "misuse", "use-destroyed", "a destroyed semaphore is used");
    __sley_check(state == SLEY_READY, "misuse", "use-uninitialised",
                 "a semaphore is used that was not initialised");
}

int sem_init(semaphore *s, int shared, unsigned int value)
{
    if (value > LARGEST)
        return failed(SLEY_EINVAL);
    _Bool is_static = __sley_is_static(s);
    __sley_atomic_begin();
    _Bool was_initialised = is_static && s->state == SLEY_READY;
    s->value = value;
    s->state = SLEY_READY;
    __sley_atomic_end();
    __sley_check(!was_initialised, "misuse", "initialise-twice", "a semaphore is initialised twice");
    return 0;
}

int sem_destroy(semaphore *s)
{
    int state = s->state;
    __sley_check(state != SLEY_DESTROYED, "misuse", "destroy-twice", "a semaphore is destroyed twice");
    check(state);
    s->state = SLEY_DESTROYED;
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
    return is_free ? 0 : failed(SLEY_EAGAIN);
}

int sem_timedwait(semaphore *s, const void *deadline)
{
    __sley_atomic_begin();
    int state = s->state;
    unsigned int value = s->value;
    _Bool is_late = (value == 0 || __sley_fails_anyway()) && __sley_nondet_bool();
    if (!is_late && state == SLEY_READY) {
        __sley_await(value > 0);
        s->value = value - 1;
    }
    __sley_atomic_end();
    check(state);
    return is_late ? failed(SLEY_ETIMEDOUT) : 0;
}

int sem_clockwait(semaphore *s, int clock, const void *deadline)
{
    return sem_timedwait(s, deadline);
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
    return value < LARGEST ? 0 : failed(SLEY_EOVERFLOW);
}

int sem_getvalue(semaphore *s, int *value)
{
    check(s->state);
    *value = __sley_fails_anyway() ? __sley_nondet_int() : (int)s->value;
    return 0;
}

// --- semaphores with names --------------------------------------------------------------------------
// Who opens a name again gets the same semaphore; a name that is unlinked is free for another one.

enum { MOST_NAMED = 4, CREATE = 0100, EXCLUSIVE = 0200 };

static struct {
    const char *_Atomic name;
    semaphore itself;
} sley_named[MOST_NAMED];
static _Atomic int sley_named_count;

static int place_of(const char *name)
{
    for (int i = 0; i < sley_named_count; i++) {
        const char *other = sley_named[i].name;
        if (other && strcmp(name, other) == 0)
            return i;
    }
    return -1;
}

static semaphore *open_failed(int error)
{
    failed(error);
    return 0;
}

semaphore *sem_open(const char *name, int flags, ...)
{
    __sley_rely_on("other processes have no semaphores of these names");
    int place = place_of(name);
    if (place >= 0 && (flags & CREATE) && (flags & EXCLUSIVE))
        return open_failed(SLEY_EEXIST);
    if (place >= 0)
        return &sley_named[place].itself;
    if (!(flags & CREATE))
        return open_failed(SLEY_ENOENT);
    __builtin_va_list arguments;
    __builtin_va_start(arguments, flags);
    __builtin_va_arg(arguments, unsigned int);
    unsigned int value = __builtin_va_arg(arguments, unsigned int);
    __builtin_va_end(arguments);
    if (value > LARGEST)
        return open_failed(SLEY_EINVAL);
    __sley_atomic_begin();
    place = sley_named_count;
    if (place == MOST_NAMED)
        __sley_give_up("more than 4 semaphores with names");
    sley_named_count = place + 1;
    sley_named[place].name = name;
    sley_named[place].itself.value = value;
    sley_named[place].itself.state = SLEY_READY;
    __sley_atomic_end();
    return &sley_named[place].itself;
}

int sem_close(semaphore *s)
{
    return 0;
}

int sem_unlink(const char *name)
{
    int place = place_of(name);
    if (place < 0)
        return failed(SLEY_ENOENT);
    sley_named[place].name = 0;
    return 0;
}
