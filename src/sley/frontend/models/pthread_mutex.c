// Mutexes and condition variables of POSIX.
#include "sley.h"

typedef struct sley_pthread_mutex_t mutex;
typedef struct sley_pthread_mutexattr_t mutexattr;
typedef struct sley_pthread_cond_t cond;
typedef struct sley_pthread_condattr_t condattr;

void __sley_end_thread(void);

// --- attributes of mutexes: some bits each ----------------------------------------------------------

static int attribute(const mutexattr *attributes, int shift, int most)
{
    return attributes->bits >> shift & most;
}

static int set_attribute(mutexattr *attributes, int shift, int most, int value)
{
    if (value < 0 || value > most)
        return SLEY_EINVAL;
    attributes->bits = (attributes->bits & ~(most << shift)) | value << shift;
    return 0;
}

int pthread_mutexattr_init(mutexattr *attributes)
{
    attributes->bits = 0;
    return 0;
}

int pthread_mutexattr_destroy(mutexattr *attributes)
{
    return 0;
}

int pthread_mutexattr_settype(mutexattr *attributes, int kind)
{
    return set_attribute(attributes, 0, 3, kind);
}

int pthread_mutexattr_gettype(const mutexattr *attributes, int *kind)
{
    *kind = attribute(attributes, 0, 3);
    return 0;
}

static _Atomic int sley_are_robust;

int pthread_mutexattr_setrobust(mutexattr *attributes, int robust)
{
    __sley_require(__sley_end_thread);
    if (robust)
        sley_are_robust = 1;
    return set_attribute(attributes, 4, 1, robust);
}

int pthread_mutexattr_setrobust_np(mutexattr *attributes, int robust)
{
    return pthread_mutexattr_setrobust(attributes, robust);
}

int pthread_mutexattr_getrobust(const mutexattr *attributes, int *robust)
{
    *robust = attribute(attributes, 4, 1);
    return 0;
}

int pthread_mutexattr_setpshared(mutexattr *attributes, int shared)
{
    return set_attribute(attributes, 8, 1, shared);
}

int pthread_mutexattr_getpshared(const mutexattr *attributes, int *shared)
{
    *shared = attribute(attributes, 8, 1);
    return 0;
}

// Priorities order nothing, so that no protocol changes what can happen; PTHREAD_PRIO_PROTECT can fail.
int pthread_mutexattr_setprotocol(mutexattr *attributes, int protocol)
{
    if (protocol == 2)
        __sley_give_up("a mutex with a priority ceiling");
    return set_attribute(attributes, 9, 2, protocol);
}

int pthread_mutexattr_getprotocol(const mutexattr *attributes, int *protocol)
{
    *protocol = attribute(attributes, 9, 3);
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
    int kind = attributes ? attributes->bits & (SLEY_MUTEX_KINDS | SLEY_MUTEX_ROBUST) : SLEY_MUTEX_NORMAL;
    sley_initialise_mutex(m, kind);
    return 0;
}

static void check_initialised(int kind)
{
    __sley_check(kind >= 0 && kind <= SLEY_MUTEX_BITS, "misuse", "use-uninitialised",
                 "a mutex is used that was not initialised");
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
    __sley_check(kind != SLEY_MUTEX_DESTROYED, "misuse", "use-destroyed", "a destroyed mutex is used");
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

static _Bool is_robust(int kind)
{
    return sley_are_robust && (kind & SLEY_MUTEX_ROBUST);
}

// --- robust mutexes ---------------------------------------------------------------------------------
// A thread knows the robust mutexes that it holds, and frees them when it ends. The next owner is told; if it
// does not declare the mutex consistent before it unlocks it, nobody can lock the mutex again.

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

// `fails_anyway` comes from who only tries: who waits for ever is no attempt.
static int lock_robust(mutex *m, int patience, _Bool fails_anyway)
{
    int error = 0;
    __sley_atomic_begin();
    int kind = m->kind;
    _Bool is_busy = m->owner != 0 || fails_anyway;
    if (kind & SLEY_MUTEX_UNRECOVERABLE)
        error = SLEY_ENOTRECOVERABLE;
    else if (is_busy && patience == AT_ONCE)
        error = SLEY_EBUSY;
    else if (is_busy && patience == UNTIL_DEADLINE && __sley_nondet_bool())
        error = SLEY_ETIMEDOUT;
    else
        __sley_lock(&m->owner);
    __sley_atomic_end();
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
    if (kind & SLEY_MUTEX_OWNER_DIED)
        m->kind = kind ^ (SLEY_MUTEX_OWNER_DIED | SLEY_MUTEX_UNRECOVERABLE);
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
        return lock_robust(m, FOR_EVER, 0);
    __sley_lock(&m->owner);
    return 0;
}

int pthread_mutex_trylock(mutex *m)
{
    int kind = m->kind;
    if (kind != SLEY_MUTEX_NORMAL && reports_errors(kind) && m->owner == (int)__sley_self())
        return lock_again(m, kind, SLEY_EBUSY);
    if (is_robust(kind))
        return lock_robust(m, AT_ONCE, __sley_fails_anyway());
    __sley_atomic_begin();
    _Bool is_free = m->owner == 0 && !__sley_fails_anyway();
    if (is_free)
        __sley_lock(&m->owner);
    __sley_atomic_end();
    return is_free ? 0 : SLEY_EBUSY;
}

int pthread_mutex_timedlock(mutex *m, const void *deadline)
{
    int kind = m->kind;
    if (kind != SLEY_MUTEX_NORMAL && reports_errors(kind) && m->owner == (int)__sley_self())
        return lock_again(m, kind, SLEY_EDEADLK);
    if (is_robust(kind))
        return lock_robust(m, UNTIL_DEADLINE, __sley_fails_anyway());
    __sley_atomic_begin();
    _Bool is_late = (m->owner != 0 || __sley_fails_anyway()) && __sley_nondet_bool();
    if (!is_late)
        __sley_lock(&m->owner);
    __sley_atomic_end();
    return is_late ? SLEY_ETIMEDOUT : 0;
}

int pthread_mutex_clocklock(mutex *m, int clock, const void *deadline)
{
    return pthread_mutex_timedlock(m, deadline);
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
// Who waits puts itself into a set and is blocked until someone takes it out, or wakes up for no reason. Who was
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
    __sley_check(state != SLEY_DESTROYED, "misuse", "use-destroyed", "a destroyed condition variable is used");
    __sley_check(0, "misuse", "use-uninitialised", "a condition variable is used that was not initialised");
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
                 "waits for a condition with another mutex than those who wait for it already");
    return 0;
}

int pthread_condattr_init(condattr *attributes)
{
    attributes->bits = 0;
    return 0;
}

int pthread_condattr_destroy(condattr *attributes)
{
    return 0;
}

int pthread_condattr_setclock(condattr *attributes, int clock)
{
    if (clock != 0 && clock != 1)
        return SLEY_EINVAL;
    attributes->bits = (attributes->bits & ~1) | clock;
    return 0;
}

int pthread_condattr_getclock(const condattr *attributes, int *clock)
{
    *clock = attributes->bits & 1;
    return 0;
}

int pthread_condattr_setpshared(condattr *attributes, int shared)
{
    if (shared != 0 && shared != 1)
        return SLEY_EINVAL;
    attributes->bits = (attributes->bits & ~2) | shared << 1;
    return 0;
}

int pthread_condattr_getpshared(const condattr *attributes, int *shared)
{
    *shared = attributes->bits >> 1;
    return 0;
}

int pthread_cond_init(cond *c, const void *attributes)
{
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

// May be late even if it was woken up: then it has used up the signal.
int pthread_cond_timedwait(cond *c, mutex *m, const void *deadline)
{
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

int pthread_cond_clockwait(cond *c, mutex *m, int clock, const void *deadline)
{
    return pthread_cond_timedwait(c, m, deadline);
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
