// Data of single threads, and what runs when a thread ends: cleanup handlers, then destructors.
#include "sley.h"

typedef void (*function)(void *);

void sley_abandon_mutexes(void);

// --- cleanup handlers: a stack for each thread ------------------------------------------------------

enum { MOST_HANDLERS = 16 };

struct handler {
    function run;
    void *argument;
};

static _Thread_local struct handler sley_handlers[MOST_HANDLERS];
static _Thread_local int sley_handler_count;
static _Thread_local int sley_foreign_handlers;

void __sley_cleanup_push(function run, void *argument)
{
    if (sley_handler_count == MOST_HANDLERS)
        __sley_give_up("more than 16 cleanup handlers in one thread");
    sley_handlers[sley_handler_count].run = run;
    sley_handlers[sley_handler_count].argument = argument;
    sley_handler_count++;
}

void __sley_cleanup_pop(void)
{
    sley_handler_count--;
}

// What the macros of glibc's headers call.
int __sigsetjmp_cancel(void *environment, int mask)
{
    return 0;
}

void __pthread_register_cancel(void *buffer)
{
    sley_foreign_handlers++;
}

void __pthread_unregister_cancel(void *buffer)
{
    sley_foreign_handlers--;
}

void __pthread_unwind_next(void *buffer)
{
    __sley_give_up("a cleanup handler of the system's headers runs");
}

void sley_run_cleanup_handlers(void)
{
    if (sley_foreign_handlers)
        __sley_give_up("pthread_exit runs cleanup handlers of the system's headers");
    while (sley_handler_count > 0) {
        sley_handler_count--;
        sley_handlers[sley_handler_count].run(sley_handlers[sley_handler_count].argument);
    }
}

// --- keys -------------------------------------------------------------------------------------------
// Which number a key is, POSIX leaves open: any, but not that of another key that was not deleted. Here keys are
// counted, and `sley_names` says what the user knows them by.

enum { MOST_KEYS = 16, DESTRUCTOR_ROUNDS = 4 };
static _Atomic unsigned int sley_next_key;
static _Atomic unsigned int sley_deleted_keys;
static _Atomic unsigned int sley_names[MOST_KEYS];
static _Atomic function sley_destructors[MOST_KEYS];
static _Atomic _Bool sley_have_destructors;
static _Thread_local void *sley_specific[MOST_KEYS];

void __sley_end_thread(void);

// Of keys of the same name the last one lives, if any; MOST_KEYS if there is none.
static unsigned int key_of(unsigned int name)
{
    unsigned int key = sley_next_key;
    while (key > 0)
        if (sley_names[--key] == name)
            return key;
    return MOST_KEYS;
}

static _Bool is_deleted(unsigned int key)
{
    return sley_deleted_keys >> key & 1;
}

// A thread that makes a key at the same time has stored its name, or sees this one.
static void choose_name(unsigned int number)
{
    unsigned int name = __sley_nondet_uint();
    sley_names[number] = name;
    for (unsigned int i = 0; i < sley_next_key; i++)
        if (i != number && !is_deleted(i))
            __sley_assume(sley_names[i] != name);
}

int pthread_key_create(unsigned int *key, function destructor)
{
    __sley_require(__sley_end_thread);
    __sley_rely_on(SLEY_ROOM);
    __sley_atomic_begin();
    unsigned int number = sley_next_key;
    if (number == MOST_KEYS)
        __sley_give_up("more than 16 keys of thread-specific data");
    sley_next_key = number + 1;
    if (destructor) {
        sley_have_destructors = 1;
        sley_destructors[number] = destructor;
    }
    __sley_atomic_end();
    choose_name(number);
    *key = sley_names[number];
    return 0;
}

// To use what is no key is undefined (POSIX pthread_setspecific).
static unsigned int checked(unsigned int name)
{
    unsigned int key = key_of(name);
    __sley_check(key != MOST_KEYS, "misuse", "use-uninitialised", "a key is used that was not created");
    __sley_check(!is_deleted(key), "misuse", "use-deleted", "a deleted key is used");
    return key;
}

int pthread_key_delete(unsigned int name)
{
    unsigned int key = checked(name);
    sley_deleted_keys |= 1U << key;
    if (sley_have_destructors)
        sley_destructors[key] = 0;
    return 0;
}

int pthread_setspecific(unsigned int name, const void *value)
{
    sley_specific[checked(name)] = (void *)value;
    return 0;
}

void *pthread_getspecific(unsigned int name)
{
    return sley_specific[checked(name)];
}

static unsigned int keys_to_destroy(void)
{
    unsigned int keys = 0;
    for (unsigned int key = 0; key < sley_next_key; key++)
        if (sley_specific[key] && sley_destructors[key])
            keys |= 1U << key;
    return keys;
}

static void destroy(unsigned int key)
{
    void *value = sley_specific[key];
    function destructor = sley_destructors[key];
    sley_specific[key] = 0;
    if (value && destructor)
        destructor(value);
}

// In any order; again if that left new values, but not for ever.
static void destroy_specific(void)
{
    for (int round = 0; round < DESTRUCTOR_ROUNDS; round++) {
        unsigned int keys = keys_to_destroy();
        if (!keys)
            return;
        while (keys) {
            unsigned int key = 0;
            while (!(keys >> key & 1) || (keys >> key > 1 && __sley_nondet_bool()))
                key++;
            keys &= ~(1U << key);
            destroy(key);
        }
    }
}

// --- the end of a thread ----------------------------------------------------------------------------

// Runs after the start function, unless that has called exit.
void __sley_end_thread(void)
{
    if (sley_have_destructors)
        destroy_specific();
    sley_abandon_mutexes();
}
