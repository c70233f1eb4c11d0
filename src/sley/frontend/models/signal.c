// Signals and processes: what changes nothing as long as no handler runs, and giving up on the rest.
//
// A signal from outside whose action is the default one may end the process, which violates nothing.
#include "sley.h"

typedef void (*handler)(int);

int *__errno_location(void);

enum { LAST_SIGNAL = 64, SIGNAL_ABORT = 6 };
#define DEFAULT ((handler)0)
#define IGNORED ((handler)1)

static _Atomic handler sley_actions[LAST_SIGNAL + 1];

// Runs in which no signal comes are runs; of all others nothing is known.
static void get_handler(void)
{
    if (__sley_nondet_bool())
        __sley_give_up("a signal gets a handler");
}

handler signal(int number, handler action)
{
    if (number < 1 || number > LAST_SIGNAL) {
        *__errno_location() = SLEY_EINVAL;
        return (handler)-1;
    }
    if (action != DEFAULT && action != IGNORED)
        get_handler();
    handler old = sley_actions[number];
    sley_actions[number] = action;
    return old;
}

// The handler is the first member of the struct.
int sigaction(int number, const handler *action, handler *old)
{
    if (old)
        __sley_give_up("the action of a signal is read");
    if (action && *action != DEFAULT && *action != IGNORED)
        get_handler();
    return 0;
}

// Nobody looks into a set of signals but the functions here.
int sigemptyset(void *set)
{
    return 0;
}

int sigfillset(void *set)
{
    return 0;
}

int sigaddset(void *set, int number)
{
    return 0;
}

int sigdelset(void *set, int number)
{
    return 0;
}

int sigismember(const void *set, int number)
{
    return __sley_nondet_bool();
}

int sigprocmask(int how, const void *set, void *old)
{
    return 0;
}

int pthread_sigmask(int how, const void *set, void *old)
{
    return 0;
}

int sigwait(const void *set, int *number)
{
    __sley_give_up("a thread waits for a signal");
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
    return __sley_nondet_bool() ? 0 : -1;
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
