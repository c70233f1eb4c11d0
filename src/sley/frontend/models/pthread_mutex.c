// Mutexes and condition variables of POSIX.
#include "sley.h"

typedef struct sley_pthread_mutex_t mutex;
typedef struct sley_pthread_mutexattr_t mutexattr;
typedef struct sley_pthread_cond_t cond;
typedef struct sley_pthread_condattr_t condattr;

void __sley_end_thread(void);

// --- deadlines --------------------------------------------------------------------------------------

_Bool sley_is_deadline(const struct sley_deadline *deadline)
{
    enum { NANOSECONDS = 1000000000 };
    long fraction = deadline->fraction;
    return 0 <= fraction && fraction < NANOSECONDS;
}

_Bool sley_has_deadlines(int clock)
{
    enum { SETTABLE = 0, MONOTONIC = 1 };
    return clock == SETTABLE || clock == MONOTONIC;
}

// --- attributes of mutexes --------------------------------------------------------------------------

int pthread_mutexattr_init(mutexattr *attributes)
{
    return sley_initialise_attributes(&attributes->bits);
}

int pthread_mutexattr_destroy(mutexattr *attributes)
{
    return sley_destroy_attributes(&attributes->bits);
}

int pthread_mutexattr_settype(mutexattr *attributes, int kind)
{
    return sley_set_attribute(&attributes->bits, 0, 3, kind);
}

int pthread_mutexattr_gettype(const mutexattr *attributes, int *kind)
{
    *kind = sley_attribute(&attributes->bits, 0, 3);
    return 0;
}

static _Atomic int sley_are_robust;

int pthread_mutexattr_setrobust(mutexattr *attributes, int robust)
{
    __sley_require(__sley_end_thread);
    if (robust)
        sley_are_robust = 1;
    return sley_set_attribute(&attributes->bits, 4, 1, robust);
}

int pthread_mutexattr_setrobust_np(mutexattr *attributes, int robust)
{
    return pthread_mutexattr_setrobust(attributes, robust);
}

int pthread_mutexattr_getrobust(const mutexattr *attributes, int *robust)
{
    *robust = sley_attribute(&attributes->bits, 4, 1);
    return 0;
}

int pthread_mutexattr_setpshared(mutexattr *attributes, int shared)
{
    return sley_set_attribute(&attributes->bits, 8, 1, shared);
}

int pthread_mutexattr_getpshared(const mutexattr *attributes, int *shared)
{
    *shared = sley_attribute(&attributes->bits, 8, 1);
    return 0;
}

// Priorities order nothing, so that no protocol changes what can happen; PTHREAD_PRIO_PROTECT can fail.
int pthread_mutexattr_setprotocol(mutexattr *attributes, int protocol)
{
    if (protocol == 2)
        __sley_give_up("a mutex with a priority ceiling");
    return sley_set_attribute(&attributes->bits, 9, 3, protocol == 3 ? -1 : protocol);
}

int pthread_mutexattr_getprotocol(const mutexattr *attributes, int *protocol)
{
    *protocol = sley_attribute(&attributes->bits, 9, 3);
    return 0;
}

// --- mutexes ----------------------------------------------------------------------------------------

// What a block or a variable on the stack holds before is nothing to go by.
void sley_initialise_mutex(mutex *m, int kind)
{
    _Bool is_static = __sley_is_static(m);
    __sley_atomic_begin();
    _Bool was_initialised = is_static && m->is_initialised;
    m->owner = 0;
    m->depth = 0;
    m->kind = kind;
    m->is_initialised = 1;
    __sley_atomic_end();
    __sley_check(!was_initialised, "misuse", "initialise-twice", "a mutex is initialised twice");
}

int pthread_mutex_init(mutex *m, const mutexattr *attributes)
{
    __sley_rely_on(SLEY_ROOM);
    int kind = SLEY_MUTEX_NORMAL;
    if (attributes) {
        int bits = attributes->bits;
        sley_check_attributes(bits);
        kind = bits & (SLEY_MUTEX_KINDS | SLEY_MUTEX_ROBUST);
    }
    sley_initialise_mutex(m, kind);
    return 0;
}

static void check_initialised(int kind)
{
    __sley_check(kind >= 0 && kind <= SLEY_MUTEX_BITS, "misuse", "use-uninitialised",
                 "a {} is used that was not initialised", "mutex");
}

int pthread_mutex_destroy(mutex *m)
{
    __sley_atomic_begin();
    int kind = m->kind;
    _Bool is_free = m->owner == 0;
    m->is_initialised = 0;
    m->kind = SLEY_MUTEX_DESTROYED;
    __sley_atomic_end();
    __sley_check(kind != SLEY_MUTEX_DESTROYED, "misuse", "destroy-twice", "a mutex is destroyed twice");
    check_initialised(kind);
    __sley_check(is_free, "misuse", "destroy-locked", "a locked mutex is destroyed");
    return 0;
}

// Recursive and error-checking mutexes report what blocks or is wrong with a normal one.
static _Bool reports_errors(int kind)
{
    __sley_check(kind != SLEY_MUTEX_DESTROYED, "misuse", "use-destroyed", "a destroyed {} is used", "mutex");
    check_initialised(kind);
    kind &= SLEY_MUTEX_KINDS;
    return kind == SLEY_MUTEX_RECURSIVE || kind == SLEY_MUTEX_ERRORCHECK;
}

// What a further lock by the owner does; only the owner can see itself in `owner`.
static int lock_again(mutex *m, int kind, int error)
{
    if ((kind & SLEY_MUTEX_KINDS) != SLEY_MUTEX_RECURSIVE)
        return error;
    m->depth++;
    return 0;
}

// Where none is asked for, locks are small.
static _Bool is_robust(int kind)
{
    _Bool are_there =
        __sley_mentions("pthread_mutexattr_setrobust") || __sley_mentions("pthread_mutexattr_setrobust_np");
    return are_there && sley_are_robust && (kind & SLEY_MUTEX_ROBUST);
}

// --- robust mutexes ---------------------------------------------------------------------------------
// A thread knows the robust mutexes that it holds, and frees them when it ends. The next owner is told; if it
// does not declare the mutex consistent before it unlocks it, the mutex can never be locked again.

enum { MOST_HELD = 8 };
static _Thread_local mutex *sley_held[MOST_HELD];

static void remember(mutex *m)
{
    for (int i = 0; i < MOST_HELD; i++)
        if (!sley_held[i]) {
            sley_held[i] = m;
            return;
        }
    __sley_give_up("a thread holds more than 8 robust mutexes");
}

static void forget(mutex *m)
{
    for (int i = 0; i < MOST_HELD; i++)
        if (sley_held[i] == m)
            sley_held[i] = 0;
}

enum { AT_ONCE, UNTIL_DEADLINE, FOR_EVER };

// `fails_anyway` comes from attempts only: an endless wait is none. A thread that finds the mutex useless is not
// ordered behind its former owners, unless it was the last one: races with them are not seen.
static int lock_robust(mutex *m, int patience, _Bool fails_anyway, const struct sley_deadline *deadline)
{
    _Bool is_valid = patience != UNTIL_DEADLINE || sley_is_deadline(deadline);
    int error = 0;
    __sley_atomic_begin();
    int kind = m->kind;
    _Bool is_busy = m->owner != 0 || fails_anyway;
    _Bool is_unordered = 0;
    if (kind & SLEY_MUTEX_UNRECOVERABLE) {
        error = SLEY_ENOTRECOVERABLE;
        is_unordered = m->depth != __sley_self();
    } else if (is_busy && patience == AT_ONCE)
        error = SLEY_EBUSY;
    else if (!is_valid && (is_busy || __sley_nondet_bool()))
        error = SLEY_EINVAL;
    else if (is_busy && patience == UNTIL_DEADLINE && __sley_nondet_bool())
        error = SLEY_ETIMEDOUT;
    else
        __sley_lock(&m->owner);
    __sley_atomic_end();
    if (is_unordered && __sley_fails_anyway())
        __sley_give_up("a lock that fails with ENOTRECOVERABLE orders nothing");
    if (error)
        return error;
    remember(m);
    return kind & SLEY_MUTEX_OWNER_DIED ? SLEY_EOWNERDEAD : 0;
}

static int unlock_robust(mutex *m)
{
    if (m->owner != (int)__sley_self())
        return SLEY_EPERM;
    if (m->depth > 0) {
        m->depth--;
        return 0;
    }
    forget(m);
    __sley_atomic_begin();
    int kind = m->kind;
    if (kind & SLEY_MUTEX_OWNER_DIED) {
        m->kind = kind ^ (SLEY_MUTEX_OWNER_DIED | SLEY_MUTEX_UNRECOVERABLE);
        m->depth = __sley_self();
    }
    __sley_unlock(&m->owner);
    __sley_atomic_end();
    return 0;
}

int pthread_mutex_consistent(mutex *m)
{
    int kind = m->kind;
    reports_errors(kind);
    if (!is_robust(kind) || !(kind & SLEY_MUTEX_OWNER_DIED) || m->owner != (int)__sley_self())
        return SLEY_EINVAL;
    m->kind = kind & ~SLEY_MUTEX_OWNER_DIED;
    return 0;
}

int pthread_mutex_consistent_np(mutex *m)
{
    return pthread_mutex_consistent(m);
}

// A thread ends.
void sley_abandon_mutexes(void)
{
    if (!sley_are_robust)
        return;
    for (int i = 0; i < MOST_HELD; i++) {
        mutex *m = sley_held[i];
        if (m) {
            __sley_atomic_begin();
            m->kind |= SLEY_MUTEX_OWNER_DIED;
            m->depth = 0;
            __sley_unlock(&m->owner);
            __sley_atomic_end();
        }
    }
}

// --- locking ----------------------------------------------------------------------------------------

int pthread_mutex_lock(mutex *m)
{
    int kind = m->kind;
    if (kind != SLEY_MUTEX_NORMAL && reports_errors(kind) && m->owner == (int)__sley_self())
        return lock_again(m, kind, SLEY_EDEADLK);
    if (is_robust(kind))
        return lock_robust(m, FOR_EVER, 0, 0);
    __sley_lock(&m->owner);
    return 0;
}

int pthread_mutex_trylock(mutex *m)
{
    int kind = m->kind;
    if (kind != SLEY_MUTEX_NORMAL && reports_errors(kind) && m->owner == (int)__sley_self())
        return lock_again(m, kind, SLEY_EBUSY);
    if (is_robust(kind))
        return lock_robust(m, AT_ONCE, __sley_fails_anyway(), 0);
    __sley_atomic_begin();
    _Bool is_free = m->owner == 0 && !__sley_fails_anyway();
    if (is_free)
        __sley_lock(&m->owner);
    __sley_atomic_end();
    return is_free ? 0 : SLEY_EBUSY;
}

// Whether a deadline is one need not be looked at where the mutex is free (POSIX pthread_mutex_timedlock).
int sley_lock_until(mutex *m, int kind, const struct sley_deadline *deadline)
{
    if (kind != SLEY_MUTEX_NORMAL && reports_errors(kind) && m->owner == (int)__sley_self())
        return lock_again(m, kind, SLEY_EDEADLK);
    if (is_robust(kind))
        return lock_robust(m, UNTIL_DEADLINE, __sley_fails_anyway(), deadline);
    _Bool is_valid = sley_is_deadline(deadline);
    __sley_atomic_begin();
    int owner = m->owner;
    _Bool is_late = (owner != 0 || !is_valid || __sley_fails_anyway()) && __sley_nondet_bool();
    if (owner != 0 && !is_valid)
        is_late = 1;
    else if (!is_late)
        __sley_lock(&m->owner);
    __sley_atomic_end();
    return !is_late ? 0 : is_valid ? SLEY_ETIMEDOUT : SLEY_EINVAL;
}

int pthread_mutex_timedlock(mutex *m, const struct sley_deadline *deadline)
{
    return sley_lock_until(m, m->kind, deadline);
}

int pthread_mutex_clocklock(mutex *m, int clock, const struct sley_deadline *deadline)
{
    return sley_has_deadlines(clock) ? pthread_mutex_timedlock(m, deadline) : SLEY_EINVAL;
}

int pthread_mutex_unlock(mutex *m)
{
    int kind = m->kind;
    _Bool reports = kind != SLEY_MUTEX_NORMAL && reports_errors(kind);
    if (is_robust(kind))
        return unlock_robust(m);
    if (reports) {
        if (m->owner != (int)__sley_self())
            return SLEY_EPERM;
        if (m->depth > 0) {
            m->depth--;
            return 0;
        }
    }
    __sley_unlock(&m->owner);
    return 0;
}

// --- condition variables ----------------------------------------------------------------------------
// A waiter puts itself into a set and is blocked until a signal takes it out, or it wakes up spuriously. One that was
// taken out does not look at the condition any more, which may be gone by then: that it goes on is said elsewhere.

static _Atomic unsigned long long sley_blocked;    // all threads that wait for a condition: bit (handle - 1)

static unsigned long long own_bit(void)
{
    if (__sley_self() > 64)
        __sley_give_up("more than 64 threads wait for a condition");
    return 1ULL << (__sley_self() - 1);
}

static void check(int state)
{
    if (state == SLEY_ZEROED)
        return;
    __sley_check(state != SLEY_DESTROYED, "misuse", "use-destroyed", "a destroyed {} is used", "condition variable");
    __sley_check(0, "misuse", "use-uninitialised", "a {} is used that was not initialised", "condition variable");
}

static void wake(cond *c, unsigned long long woken)
{
    unsigned long long left = c->waiters & ~woken;
    mutex *m = c->mutex;
    c->waiters = left;
    c->mutex = left ? m : 0;
    sley_blocked &= ~woken;
}

// To join the waiters and to release the mutex is one step: no signal gets lost in between.
static int start_waiting(cond *c, mutex *m)
{
    int kind = m->kind;
    unsigned long long own = own_bit();
    if (is_robust(kind)) {
        if (kind & SLEY_MUTEX_OWNER_DIED)
            __sley_give_up("a thread waits with a mutex that is not consistent");
        forget(m);
    }
    _Bool is_other = 0;
    __sley_atomic_begin();
    int state = c->state;
    _Bool is_held = m->owner == (int)__sley_self();
    if (is_held && state == SLEY_ZEROED) {
        unsigned long long others = c->waiters;
        is_other = (others != 0) & (c->mutex != m);
        c->mutex = m;
        c->waiters = others | own;
        sley_blocked |= own;
        if (m->depth > 0)
            m->depth--;
        else
            __sley_unlock(&m->owner);
    }
    __sley_atomic_end();
    check(state);
    if (!is_held && kind != SLEY_MUTEX_NORMAL && reports_errors(kind))
        return SLEY_EPERM;
    __sley_check(is_held, "misuse", "wait-without-mutex", "waits without holding the mutex");
    __sley_check(!is_other, "misuse", "wait-with-other-mutex",
                 "waits for a condition with another mutex than its present waiters");
    return 0;
}

int pthread_condattr_init(condattr *attributes)
{
    return sley_initialise_attributes(&attributes->bits);
}

int pthread_condattr_destroy(condattr *attributes)
{
    return sley_destroy_attributes(&attributes->bits);
}

int pthread_condattr_setclock(condattr *attributes, int clock)
{
    return sley_set_attribute(&attributes->bits, 0, 1, clock);
}

int pthread_condattr_getclock(const condattr *attributes, int *clock)
{
    *clock = sley_attribute(&attributes->bits, 0, 1);
    return 0;
}

int pthread_condattr_setpshared(condattr *attributes, int shared)
{
    return sley_set_attribute(&attributes->bits, 1, 1, shared);
}

int pthread_condattr_getpshared(const condattr *attributes, int *shared)
{
    *shared = sley_attribute(&attributes->bits, 1, 1);
    return 0;
}

int pthread_cond_init(cond *c, const condattr *attributes)
{
    __sley_rely_on(SLEY_ROOM);
    if (attributes)
        sley_check_attributes(attributes->bits);
    _Bool is_static = __sley_is_static(c);
    __sley_atomic_begin();
    _Bool was_initialised = is_static && c->is_initialised;
    c->waiters = 0;
    c->mutex = 0;
    c->state = SLEY_ZEROED;
    c->is_initialised = 1;
    __sley_atomic_end();
    __sley_check(!was_initialised, "misuse", "initialise-twice", "a condition variable is initialised twice");
    return 0;
}

int pthread_cond_destroy(cond *c)
{
    __sley_atomic_begin();
    int state = c->state;
    _Bool is_awaited = c->waiters != 0;
    c->is_initialised = 0;
    c->state = SLEY_DESTROYED;
    __sley_atomic_end();
    __sley_check(state != SLEY_DESTROYED, "misuse", "destroy-twice", "a condition variable is destroyed twice");
    check(state);
    __sley_check(!is_awaited, "misuse", "destroy-awaited", "an awaited condition variable is destroyed");
    return 0;
}

int pthread_cond_wait(cond *c, mutex *m)
{
    int error = start_waiting(c, m);
    if (error)
        return error;
    unsigned long long own = own_bit();
    __sley_atomic_begin();
    _Bool is_woken = (sley_blocked & own) == 0;
    __sley_await_spurious(is_woken);
    if (!is_woken)
        wake(c, own);
    __sley_atomic_end();
    return pthread_mutex_lock(m);
}

// May be late even if it was woken up: then it has used up the signal. What is no deadline is told before the mutex
// is released (POSIX pthread_cond_timedwait).
int pthread_cond_timedwait(cond *c, mutex *m, const struct sley_deadline *deadline)
{
    if (!sley_is_deadline(deadline))
        return SLEY_EINVAL;
    int error = start_waiting(c, m);
    if (error)
        return error;
    unsigned long long own = own_bit();
    __sley_atomic_begin();
    _Bool is_late = __sley_nondet_bool();
    _Bool is_woken = (sley_blocked & own) == 0;
    if (!is_late)
        __sley_await_spurious(is_woken);
    if (!is_woken)
        wake(c, own);
    __sley_atomic_end();
    error = pthread_mutex_lock(m);
    return error ? error : is_late ? SLEY_ETIMEDOUT : 0;
}

int pthread_cond_clockwait(cond *c, mutex *m, int clock, const struct sley_deadline *deadline)
{
    return sley_has_deadlines(clock) ? pthread_cond_timedwait(c, m, deadline) : SLEY_EINVAL;
}

// One of a set that is not empty.
unsigned long long sley_one_of(unsigned long long candidates)
{
    while ((candidates & (candidates - 1)) != 0 && __sley_nondet_bool())
        candidates &= candidates - 1;
    return candidates & -candidates;
}

int pthread_cond_signal(cond *c)
{
    __sley_atomic_begin();
    int state = c->state;
    unsigned long long candidates = state == SLEY_ZEROED ? c->waiters : 0;
    if (candidates)
        wake(c, sley_one_of(candidates));
    __sley_atomic_end();
    check(state);
    return 0;
}

int pthread_cond_broadcast(cond *c)
{
    __sley_atomic_begin();
    int state = c->state;
    unsigned long long woken = state == SLEY_ZEROED ? c->waiters : 0;
    if (woken)
        wake(c, woken);
    __sley_atomic_end();
    check(state);
    return 0;
}
