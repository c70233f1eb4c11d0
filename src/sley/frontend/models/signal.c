// Signals and processes: what changes nothing as long as no handler runs, and giving up on the rest.
//
// A signal from outside whose action is the default one may end the process, which violates nothing.
#include "sley.h"

typedef void (*handler)(int);

enum { LAST_SIGNAL = 64, SIGNAL_ABORT = 6, SIGNAL_KILL = 9, SIGNAL_STOP = 19 };
#define DEFAULT ((handler)0)
#define IGNORED ((handler)1)

static _Atomic handler sley_actions[LAST_SIGNAL + 1];

// Runs in which no signal comes are runs; of all others nothing is known.
static void get_handler(void)
{
    if (__sley_nondet_bool())
        __sley_give_up("a signal gets a handler");
}

static _Bool is_signal(int number)
{
    if (1 <= number && number <= LAST_SIGNAL)
        return 1;
    sley_sets_errno(SLEY_EINVAL);
    return 0;
}

static _Bool has_action(int number)
{
    if (is_signal(number) && number != SIGNAL_KILL && number != SIGNAL_STOP)
        return 1;
    sley_sets_errno(SLEY_EINVAL);
    return 0;
}

handler signal(int number, handler action)
{
    if (!has_action(number))
        return (handler)-1;
    if (action != DEFAULT && action != IGNORED)
        get_handler();
    handler old = sley_actions[number];
    sley_actions[number] = action;
    return old;
}

// The handler is the first member of the struct.
int sigaction(int number, const handler *action, handler *old)
{
    if (!has_action(number))
        return -1;
    if (old)
        __sley_give_up("the action of a signal is read");
    if (action && *action != DEFAULT && *action != IGNORED)
        get_handler();
    return 0;
}

// A set has a bit for each signal, from its beginning, as programs may know; others are left as they are.
enum { BITS = 8 * sizeof(unsigned long), WORDS = 64 / BITS };

int sigemptyset(unsigned long *set)
{
    for (int word = 0; word < WORDS; word++)
        set[word] = 0;
    return 0;
}

int sigfillset(unsigned long *set)
{
    for (int word = 0; word < WORDS; word++)
        set[word] = -1UL;
    return 0;
}

int sigaddset(unsigned long *set, int number)
{
    if (!is_signal(number))
        return -1;
    set[(number - 1) / BITS] |= 1UL << (number - 1) % BITS;
    return 0;
}

int sigdelset(unsigned long *set, int number)
{
    if (!is_signal(number))
        return -1;
    set[(number - 1) / BITS] &= ~(1UL << (number - 1) % BITS);
    return 0;
}

int sigismember(const unsigned long *set, int number)
{
    if (!is_signal(number))
        return -1;
    return set[(number - 1) / BITS] >> (number - 1) % BITS & 1;
}

// Which signals are blocked is not kept: any may have been before.
static int change_mask(int how, const unsigned long *set, unsigned long *old)
{
    enum { BLOCK, UNBLOCK, SET };
    if (set && how != BLOCK && how != UNBLOCK && how != SET)
        return SLEY_EINVAL;
    for (int word = 0; old && word < WORDS; word++)
        old[word] = __sley_nondet_ulong();
    return 0;
}

int sigprocmask(int how, const unsigned long *set, unsigned long *old)
{
    int error = change_mask(how, set, old);
    return error ? sley_fails_with(error) : 0;
}

int pthread_sigmask(int how, const unsigned long *set, unsigned long *old)
{
    return change_mask(how, set, old);
}

// Any signal of the set may come from outside, at any time; no thread can count on it, and waiting for it is no fault.
int sigwait(const unsigned long *set, int *number)
{
    int signal = __sley_nondet_int();
    __sley_assume(1 <= signal && signal <= LAST_SIGNAL && signal != SIGNAL_KILL && signal != SIGNAL_STOP);
    __sley_assume(set[(signal - 1) / BITS] >> (signal - 1) % BITS & 1);
    *number = signal;
    return 0;
}

int raise(int number)
{
    if (number == SIGNAL_ABORT)
        __sley_end(1);
    __sley_give_up("a signal is raised");
}

int kill(int process, int number)
{
    if (number)
        __sley_give_up("a signal is sent");
    return __sley_nondet_bool() ? 0 : sley_fails();
}

unsigned int alarm(unsigned int seconds)
{
    return __sley_nondet_uint();
}

int fork(void)
{
    __sley_give_up("a second process is made");
}

int vfork(void)
{
    __sley_give_up("a second process is made");
}

int clone(int (*start)(void *), void *stack, int flags, void *argument, ...)
{
    __sley_give_up("a thread or process is made by `clone`");
}
