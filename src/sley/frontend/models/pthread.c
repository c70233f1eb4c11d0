// POSIX threads: what a thread is and how it ends.
#include "sley.h"

typedef struct sley_pthread_attr_t attr;

void sley_run_cleanup_handlers(void);
void __sley_end_thread(void);
void sley_main_exits(void);

// --- threads ----------------------------------------------------------------------------------------

// The new thread may run before its handle is stored: POSIX promises no more.
int pthread_create(unsigned long *thread, const attr *attributes, sley_start start, void *argument)
{
    _Bool is_detached = attributes && attributes->detached;
    if (__sley_create_fails("pthread_create fails: returns EAGAIN"))
        return SLEY_EAGAIN;
    unsigned long handle = __sley_create(start, argument);
    if (is_detached)
        __sley_detach(handle);
    *thread = __sley_id(handle);
    return 0;
}

int pthread_join(unsigned long thread, void **result)
{
    void *value = __sley_join(thread);
    if (result)
        *result = value;
    return 0;
}

int pthread_detach(unsigned long thread)
{
    __sley_detach(thread);
    return 0;
}

// Handlers of pthread_cleanup_push first, as they may use what the destructors destroy.
void pthread_exit(void *result)
{
    sley_run_cleanup_handlers();
    __sley_end_thread();
    if (__sley_self() == 1)
        sley_main_exits();
    __sley_exit_thread(result);
}

// When exactly a thread ends, nobody can see: a thread that has nothing left to do may count as running.
int pthread_tryjoin_np(unsigned long thread, void **result)
{
    void *value = 0;
    __sley_atomic_begin();
    _Bool is_running = __sley_nondet_bool();
    if (!is_running)
        value = __sley_join(thread);
    __sley_atomic_end();
    if (is_running)
        return SLEY_EBUSY;
    if (result)
        *result = value;
    return 0;
}

int pthread_timedjoin_np(unsigned long thread, void **result, const void *deadline)
{
    return pthread_tryjoin_np(thread, result) ? SLEY_ETIMEDOUT : 0;
}

int pthread_clockjoin_np(unsigned long thread, void **result, int clock, const void *deadline)
{
    return pthread_timedjoin_np(thread, result, deadline);
}

unsigned long pthread_self(void)
{
    return __sley_id(__sley_self());
}

int pthread_equal(unsigned long one, unsigned long other)
{
    return one == other;
}

int pthread_yield(void)
{
    return 0;
}

int pthread_setname_np(unsigned long thread, const char *name)
{
    return 0;
}

int pthread_setconcurrency(int level)
{
    return 0;
}

int pthread_getconcurrency(void)
{
    return __sley_nondet_int();
}

int pthread_setschedprio(unsigned long thread, int priority)
{
    return 0;
}

int pthread_setaffinity_np(unsigned long thread, sley_size size, const void *processors)
{
    return 0;
}

// Priorities order nothing: any thread may run at any time.
int pthread_setschedparam(unsigned long thread, int policy, const int *priority)
{
    return 0;
}

int pthread_getschedparam(unsigned long thread, int *policy, int *priority)
{
    *policy = __sley_nondet_int();
    *priority = __sley_nondet_int();
    return 0;
}

int pthread_getcpuclockid(unsigned long thread, int *clock)
{
    *clock = __sley_nondet_int();
    return 0;
}

// --- cancellation, signals, processes ---------------------------------------------------------------
// Nobody is cancelled: who asks for it is given up on. So the state of who could be matters only to itself.

int pthread_cancel(unsigned long thread)
{
    __sley_give_up("a thread is cancelled");
}

void pthread_testcancel(void)
{
}

static _Thread_local int sley_cancel_state;
static _Thread_local int sley_cancel_type;

int pthread_setcancelstate(int state, int *old)
{
    if (state != 0 && state != 1)
        return SLEY_EINVAL;
    if (old)
        *old = sley_cancel_state;
    sley_cancel_state = state;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if (type != 0 && type != 1)
        return SLEY_EINVAL;
    if (old)
        *old = sley_cancel_type;
    sley_cancel_type = type;
    return 0;
}

int pthread_kill(unsigned long thread, int signal)
{
    if (signal)
        __sley_give_up("a thread is sent a signal");
    return 0;
}

// Handlers would run at a fork, which is given up on.
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    return 0;
}
