// POSIX threads: what a thread is and how it ends.
#include "sley.h"

typedef struct sley_pthread_attr_t attr;

void sley_run_cleanup_handlers(void);
void __sley_end_thread(void);
void sley_main_exits(void);

static _Bool is_own(unsigned long thread)
{
    return __sley_handle(thread) == __sley_self();
}

// A thread that waits for itself may be told so (POSIX pthread_join), or waits for ever. The first thread has an id only
// where it is asked for.
static _Bool is_refused(unsigned long thread)
{
    if (__sley_joins_as_first() && !__sley_mentions("pthread_self|thrd_current"))
        return 0;
    unsigned long own = __sley_joins_as_first() ? 1 : __sley_self();
    return __sley_handle(thread) == own && __sley_nondet_bool();
}

// --- threads ----------------------------------------------------------------------------------------

// The new thread may run before its handle is stored: POSIX promises no more.
int pthread_create(unsigned long *thread, const attr *attributes, sley_start start, void *argument)
{
    _Bool is_detached = 0;
    if (attributes) {
        sley_check_attributes(attributes->bits);
        is_detached = attributes->detached;
    }
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
    if (is_refused(thread))
        return SLEY_EDEADLK;
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

// When exactly a thread ends cannot be observed: a thread that has nothing left to do may count as running.
static int join_or_fail(unsigned long thread, void **result, int error)
{
    if (is_refused(thread))
        return SLEY_EDEADLK;
    void *value = 0;
    __sley_atomic_begin();
    _Bool is_running = __sley_nondet_bool();
    if (!is_running)
        value = __sley_join(thread);
    __sley_atomic_end();
    if (is_running)
        return error;
    if (result)
        *result = value;
    return 0;
}

int pthread_tryjoin_np(unsigned long thread, void **result)
{
    return join_or_fail(thread, result, SLEY_EBUSY);
}

int pthread_timedjoin_np(unsigned long thread, void **result, const struct sley_deadline *deadline)
{
    if (!sley_is_deadline(deadline))
        return SLEY_EINVAL;
    return join_or_fail(thread, result, SLEY_ETIMEDOUT);
}

int pthread_clockjoin_np(unsigned long thread, void **result, int clock, const struct sley_deadline *deadline)
{
    return sley_has_deadlines(clock) ? pthread_timedjoin_np(thread, result, deadline) : SLEY_EINVAL;
}

unsigned long pthread_self(void)
{
    return __sley_id(__sley_self());
}

// Which number tells that they are equal, is open.
int pthread_equal(unsigned long one, unsigned long other)
{
    if (one != other)
        return 0;
    int result = __sley_nondet_int();
    __sley_assume(result != 0);
    return result;
}

int pthread_yield(void)
{
    return 0;
}

// Linux writes the name of another thread into a file, which can fail for many reasons.
int pthread_setname_np(unsigned long thread, const char *name)
{
    enum { LONGEST_NAME = 15 };
    int length = 0;
    while (name[length])
        if (++length > LONGEST_NAME)
            return SLEY_ERANGE;
    if (is_own(thread) || __sley_nondet_bool())
        return 0;
    return sley_any_error();
}

static _Atomic int sley_concurrency;

int pthread_setconcurrency(int level)
{
    if (level < 0)
        return SLEY_EINVAL;
    if (__sley_nondet_bool())
        return SLEY_EAGAIN;
    sley_concurrency = level;
    return 0;
}

int pthread_getconcurrency(void)
{
    return sley_concurrency;
}

// Most users may not change how they are scheduled.
static int may_be_refused(void)
{
    return __sley_nondet_bool() ? 0 : sley_any_error();
}

int pthread_setschedprio(unsigned long thread, int priority)
{
    return may_be_refused();
}

int pthread_setaffinity_np(unsigned long thread, sley_size size, const void *processors)
{
    if (size)
        *(const volatile char *)processors;
    return may_be_refused();
}

// Priorities order nothing: any thread may run at any time.
int pthread_setschedparam(unsigned long thread, int policy, const int *priority)
{
    *(const volatile int *)priority;
    return may_be_refused();
}

// The parent process has chosen them, if the program has not.
int pthread_getschedparam(unsigned long thread, int *policy, int *priority)
{
    enum { OTHER = 0, FIFO = 1, ROUND_ROBIN = 2, UNUSED = 4, DEADLINE = 6, MOST_PRIORITY = 99 };
    *policy = OTHER;
    *priority = 0;
    int chosen = __sley_unknown_int("pthread_getschedparam");
    int level = __sley_unknown_int("pthread_getschedparam");
    _Bool is_real_time = chosen == FIFO || chosen == ROUND_ROBIN;
    __sley_assume(OTHER <= chosen && chosen <= DEADLINE && chosen != UNUSED);
    __sley_assume(is_real_time ? 1 <= level && level <= MOST_PRIORITY : level == 0);
    *policy = chosen;
    *priority = level;
    return 0;
}

// Of clocks of threads POSIX says nothing but that a program can ask them for the time.
int pthread_getcpuclockid(unsigned long thread, int *clock)
{
    if (__sley_nondet_bool())
        return SLEY_ENOENT;
    *clock = 0;
    *clock = __sley_unknown_int("pthread_getcpuclockid");
    return 0;
}

// --- cancellation, signals, processes ---------------------------------------------------------------
// No thread is cancelled: a request is given up at. So a thread's cancellation state matters only to itself.

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

// Signal 0 only asks: a thread is there until it is joined or detached.
int pthread_kill(unsigned long thread, int signal)
{
    enum { MOST_SIGNALS = 64 };
    if (signal < 0 || signal > MOST_SIGNALS)
        return SLEY_EINVAL;
    if (signal)
        __sley_give_up("a thread is sent a signal");
    return 0;
}

// Handlers would run at a fork, which is given up on.
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    return __sley_nondet_bool() ? 0 : SLEY_ENOMEM;
}
