// POSIX threads.
//
// Not here, hence without a model: cancellation, signals. Given up on: robust mutexes, and
// handlers or destructors that pthread_exit would run.
#include "sley.h"

typedef struct sley_pthread_mutex_t mutex;
typedef struct sley_pthread_mutexattr_t mutexattr;
typedef struct sley_pthread_cond_t cond;
typedef struct sley_pthread_rwlock_t rwlock;
typedef struct sley_pthread_barrier_t barrier;
typedef struct sley_pthread_attr_t attr;

// --- threads ----------------------------------------------------------------------------------------

// The new thread may run before its handle is stored: POSIX promises no more.
int pthread_create(unsigned long *thread, const attr *attributes, sley_start start, void *argument)
{
    _Bool is_detached = attributes && attributes->detached;
    unsigned long handle = __sley_create(start, argument);
    if (is_detached)
        __sley_detach(handle);
    *thread = handle;
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

void sley_check_exit(void);

void pthread_exit(void *result)
{
    sley_check_exit();
    __sley_exit_thread(result);
}

unsigned long pthread_self(void)
{
    return __sley_self();
}

int pthread_equal(unsigned long one, unsigned long other)
{
    return one == other;
}

int pthread_yield(void)
{
    return 0;
}

// --- thread attributes: only being detached matters -------------------------------------------------

int pthread_attr_init(attr *attributes)
{
    attributes->detached = 0;
    return 0;
}

int pthread_attr_destroy(attr *attributes)
{
    return 0;
}

int pthread_attr_setdetachstate(attr *attributes, int detached)
{
    attributes->detached = detached;
    return 0;
}

int pthread_attr_getdetachstate(const attr *attributes, int *detached)
{
    *detached = attributes->detached;
    return 0;
}

int pthread_attr_setstacksize(attr *attributes, sley_size size)
{
    return 0;
}

int pthread_attr_setguardsize(attr *attributes, sley_size size)
{
    return 0;
}

int pthread_attr_setscope(attr *attributes, int scope)
{
    return 0;
}

int pthread_attr_setschedpolicy(attr *attributes, int policy)
{
    return 0;
}

int pthread_attr_setinheritsched(attr *attributes, int inherit)
{
    return 0;
}

// --- mutexes ----------------------------------------------------------------------------------------

int pthread_mutexattr_init(mutexattr *attributes)
{
    attributes->kind = SLEY_MUTEX_NORMAL;
    return 0;
}

int pthread_mutexattr_destroy(mutexattr *attributes)
{
    return 0;
}

int pthread_mutexattr_settype(mutexattr *attributes, int kind)
{
    if (kind < 0 || kind > 3)
        return SLEY_EINVAL;
    attributes->kind = kind;
    return 0;
}

int pthread_mutexattr_gettype(const mutexattr *attributes, int *kind)
{
    *kind = attributes->kind;
    return 0;
}

int pthread_mutexattr_setpshared(mutexattr *attributes, int shared)
{
    return 0;
}

int pthread_mutexattr_setprotocol(mutexattr *attributes, int protocol)
{
    return 0;
}

int pthread_mutexattr_setrobust(mutexattr *attributes, int robust)
{
    if (robust)
        __sley_give_up("a robust mutex");
    return 0;
}

int pthread_mutexattr_getrobust(const mutexattr *attributes, int *robust)
{
    *robust = 0;
    return 0;
}

// Nothing to repair: no mutex is robust.
int pthread_mutex_consistent(mutex *m)
{
    return SLEY_EINVAL;
}

int pthread_mutex_init(mutex *m, const mutexattr *attributes)
{
    int kind = attributes ? attributes->kind : SLEY_MUTEX_NORMAL;
    __sley_atomic_begin();
    m->owner = 0;
    m->depth = 0;
    m->kind = kind;
    __sley_atomic_end();
    return 0;
}

int pthread_mutex_destroy(mutex *m)
{
    __sley_check(m->kind != SLEY_MUTEX_DESTROYED, "misuse", "destroy-twice", "a mutex is destroyed twice");
    __sley_check(m->owner == 0, "misuse", "destroy-locked", "a locked mutex is destroyed");
    m->kind = SLEY_MUTEX_DESTROYED;
    return 0;
}

// Recursive and error-checking mutexes report what blocks or is wrong with a normal one.
static _Bool reports_errors(int kind)
{
    __sley_check(kind != SLEY_MUTEX_DESTROYED, "misuse", "use-destroyed", "a destroyed mutex is used");
    return kind == SLEY_MUTEX_RECURSIVE || kind == SLEY_MUTEX_ERRORCHECK;
}

// What a further lock by the owner does; only the owner can see itself in `owner`.
static int lock_again(mutex *m, int kind, int error)
{
    if (kind != SLEY_MUTEX_RECURSIVE)
        return error;
    m->depth++;
    return 0;
}

int pthread_mutex_lock(mutex *m)
{
    int kind = m->kind;
    if (kind != SLEY_MUTEX_NORMAL && reports_errors(kind) && m->owner == (int)__sley_self())
        return lock_again(m, kind, SLEY_EDEADLK);
    __sley_lock(&m->owner);
    return 0;
}

int pthread_mutex_trylock(mutex *m)
{
    int kind = m->kind;
    if (kind != SLEY_MUTEX_NORMAL && reports_errors(kind) && m->owner == (int)__sley_self())
        return lock_again(m, kind, SLEY_EBUSY);
    __sley_atomic_begin();
    _Bool is_free = m->owner == 0;
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
    __sley_atomic_begin();
    _Bool is_late = m->owner != 0 && __sley_nondet_bool();
    if (!is_late)
        __sley_lock(&m->owner);
    __sley_atomic_end();
    return is_late ? SLEY_ETIMEDOUT : 0;
}

int pthread_mutex_unlock(mutex *m)
{
    int kind = m->kind;
    if (kind != SLEY_MUTEX_NORMAL && reports_errors(kind)) {
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
// Who waits puts itself into a set and is blocked until someone takes it out, or wakes up for no reason.

static unsigned long long own_bit(void)
{
    if (__sley_self() > 64)
        __sley_give_up("more than 64 threads wait for a condition or barrier");
    return 1ULL << (__sley_self() - 1);
}

// To join the waiters and to release the mutex is one step: no signal gets lost in between.
static int start_waiting(cond *c, mutex *m)
{
    int kind = m->kind;
    _Bool is_held = m->owner == (int)__sley_self();
    if (!is_held && kind != SLEY_MUTEX_NORMAL && reports_errors(kind))
        return SLEY_EPERM;
    __sley_check(is_held, "misuse", "wait-without-mutex", "waits without holding the mutex");
    __sley_atomic_begin();
    c->waiters |= own_bit();
    if (m->depth > 0)
        m->depth--;
    else
        __sley_unlock(&m->owner);
    __sley_atomic_end();
    return 0;
}

int pthread_condattr_init(void *attributes)
{
    return 0;
}

int pthread_condattr_destroy(void *attributes)
{
    return 0;
}

int pthread_condattr_setclock(void *attributes, int clock)
{
    return 0;
}

int pthread_condattr_setpshared(void *attributes, int shared)
{
    return 0;
}

int pthread_cond_init(cond *c, const void *attributes)
{
    c->waiters = 0;
    return 0;
}

int pthread_cond_destroy(cond *c)
{
    __sley_check(c->waiters == 0, "misuse", "destroy-awaited", "an awaited condition is destroyed");
    return 0;
}

int pthread_cond_wait(cond *c, mutex *m)
{
    int error = start_waiting(c, m);
    if (error)
        return error;
    __sley_atomic_begin();
    __sley_await_spurious((c->waiters & own_bit()) == 0);
    c->waiters &= ~own_bit();
    __sley_atomic_end();
    return pthread_mutex_lock(m);
}

// May be late even if it was woken up: then it has used up the signal.
int pthread_cond_timedwait(cond *c, mutex *m, const void *deadline)
{
    int error = start_waiting(c, m);
    if (error)
        return error;
    __sley_atomic_begin();
    _Bool is_late = __sley_nondet_bool();
    if (!is_late)
        __sley_await_spurious((c->waiters & own_bit()) == 0);
    c->waiters &= ~own_bit();
    __sley_atomic_end();
    error = pthread_mutex_lock(m);
    return error ? error : is_late ? SLEY_ETIMEDOUT : 0;
}

int pthread_cond_signal(cond *c)
{
    __sley_atomic_begin();
    unsigned long long candidates = c->waiters;
    while ((candidates & (candidates - 1)) != 0 && __sley_nondet_bool())
        candidates &= candidates - 1;
    c->waiters &= ~(candidates & -candidates);
    __sley_atomic_end();
    return 0;
}

int pthread_cond_broadcast(cond *c)
{
    c->waiters = 0;
    return 0;
}

// --- read-write locks -------------------------------------------------------------------------------
// Nobody is preferred. Who holds the lock for writing and asks again is blocked for ever.

int pthread_rwlockattr_init(void *attributes)
{
    return 0;
}

int pthread_rwlockattr_destroy(void *attributes)
{
    return 0;
}

int pthread_rwlockattr_setpshared(void *attributes, int shared)
{
    return 0;
}

int pthread_rwlock_init(rwlock *l, const void *attributes)
{
    __sley_atomic_begin();
    l->writer = 0;
    l->readers = 0;
    __sley_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(rwlock *l)
{
    __sley_check(l->writer == 0 && l->readers == 0, "misuse", "destroy-locked", "a locked read-write lock is destroyed");
    return 0;
}

int pthread_rwlock_rdlock(rwlock *l)
{
    __sley_atomic_begin();
    __sley_await(l->writer == 0);
    l->readers++;
    __sley_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(rwlock *l)
{
    __sley_atomic_begin();
    __sley_await(l->readers == 0);
    __sley_lock(&l->writer);
    __sley_atomic_end();
    return 0;
}

int pthread_rwlock_tryrdlock(rwlock *l)
{
    __sley_atomic_begin();
    _Bool is_free = l->writer == 0;
    if (is_free)
        l->readers++;
    __sley_atomic_end();
    return is_free ? 0 : SLEY_EBUSY;
}

int pthread_rwlock_trywrlock(rwlock *l)
{
    __sley_atomic_begin();
    _Bool is_free = l->writer == 0 && l->readers == 0;
    if (is_free)
        __sley_lock(&l->writer);
    __sley_atomic_end();
    return is_free ? 0 : SLEY_EBUSY;
}

int pthread_rwlock_timedrdlock(rwlock *l, const void *deadline)
{
    __sley_atomic_begin();
    _Bool is_free = l->writer == 0;
    _Bool is_late = !is_free && __sley_nondet_bool();
    if (!is_late) {
        __sley_await(is_free);
        l->readers++;
    }
    __sley_atomic_end();
    return is_late ? SLEY_ETIMEDOUT : 0;
}

int pthread_rwlock_timedwrlock(rwlock *l, const void *deadline)
{
    __sley_atomic_begin();
    _Bool is_free = l->writer == 0 && l->readers == 0;
    _Bool is_late = !is_free && __sley_nondet_bool();
    if (!is_late) {
        __sley_await(is_free);
        __sley_lock(&l->writer);
    }
    __sley_atomic_end();
    return is_late ? SLEY_ETIMEDOUT : 0;
}

int pthread_rwlock_unlock(rwlock *l)
{
    if (l->writer != 0)
        __sley_unlock(&l->writer);
    else
        __sley_check(l->readers-- > 0, "misuse", "unlock-not-held", "a lock is released that nobody holds");
    return 0;
}

// --- spin locks -------------------------------------------------------------------------------------
// To spin is to be blocked: who waits for a lock that is never released is in a deadlock.

int pthread_spin_init(_Atomic int *lock, int shared)
{
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(_Atomic int *lock)
{
    __sley_check(*lock == 0, "misuse", "destroy-locked", "a locked spin lock is destroyed");
    return 0;
}

int pthread_spin_lock(_Atomic int *lock)
{
    __sley_lock(lock);
    return 0;
}

int pthread_spin_trylock(_Atomic int *lock)
{
    __sley_atomic_begin();
    _Bool is_free = *lock == 0;
    if (is_free)
        __sley_lock(lock);
    __sley_atomic_end();
    return is_free ? 0 : SLEY_EBUSY;
}

int pthread_spin_unlock(_Atomic int *lock)
{
    __sley_unlock(lock);
    return 0;
}

// --- barriers ---------------------------------------------------------------------------------------

int pthread_barrierattr_init(void *attributes)
{
    return 0;
}

int pthread_barrierattr_destroy(void *attributes)
{
    return 0;
}

int pthread_barrierattr_setpshared(void *attributes, int shared)
{
    return 0;
}

int pthread_barrier_init(barrier *b, const void *attributes, unsigned int count)
{
    if (count == 0)
        return SLEY_EINVAL;
    __sley_atomic_begin();
    b->waiters = 0;
    b->arrived = 0;
    b->needed = count;
    __sley_atomic_end();
    return 0;
}

int pthread_barrier_destroy(barrier *b)
{
    __sley_check(b->arrived == 0, "misuse", "destroy-awaited", "an awaited barrier is destroyed");
    return 0;
}

// The last to arrive sets all free and is the one that gets PTHREAD_BARRIER_SERIAL_THREAD (-1).
int pthread_barrier_wait(barrier *b)
{
    __sley_atomic_begin();
    unsigned int arrived = b->arrived + 1;
    _Bool is_last = arrived == b->needed;
    b->arrived = is_last ? 0 : arrived;
    b->waiters = is_last ? 0 : b->waiters | own_bit();
    __sley_atomic_end();
    if (is_last)
        return -1;
    __sley_atomic_begin();
    __sley_await((b->waiters & own_bit()) == 0);
    __sley_atomic_end();
    return 0;
}

// --- once -------------------------------------------------------------------------------------------

int pthread_once(_Atomic int *once, void (*initialise)(void))
{
    enum { NOT_YET, RUNNING, DONE };
    __sley_atomic_begin();
    int state = *once;
    __sley_await(state != RUNNING);
    if (state == NOT_YET)
        *once = RUNNING;
    __sley_atomic_end();
    if (state == NOT_YET) {
        initialise();
        *once = DONE;
    }
    return 0;
}

// --- thread-specific data ---------------------------------------------------------------------------
// Destructors run when the start function returns, if the thread was started by something that sees it return.

enum { SLEY_KEYS = 16, DESTRUCTOR_ROUNDS = 4 };
static _Atomic unsigned int sley_next_key;
static _Atomic unsigned int sley_deleted_keys;
static void (*_Atomic sley_destructors[SLEY_KEYS])(void *);
static _Thread_local void *sley_specific[SLEY_KEYS];
static _Thread_local _Bool sley_is_watched;

void sley_watch_end(void)
{
    sley_is_watched = 1;
}

int pthread_key_create(unsigned int *key, void (*destructor)(void *))
{
    unsigned int number = sley_next_key++;
    if (number >= SLEY_KEYS)
        __sley_give_up("more than 16 keys of thread-specific data");
    sley_destructors[number] = destructor;
    *key = number;
    return 0;
}

static void check_key(unsigned int key)
{
    __sley_check((sley_deleted_keys >> key & 1) == 0, "misuse", "use-deleted", "a deleted key is used");
}

int pthread_key_delete(unsigned int key)
{
    if (key >= sley_next_key)
        return SLEY_EINVAL;
    check_key(key);
    sley_deleted_keys |= 1U << key;
    sley_destructors[key] = 0;
    return 0;
}

int pthread_setspecific(unsigned int key, const void *value)
{
    if (key >= sley_next_key)
        return SLEY_EINVAL;
    check_key(key);
    if (value && sley_destructors[key] && !sley_is_watched && __sley_self() != 1)
        __sley_give_up("thread-specific data with a destructor in a thread of pthread_create");
    sley_specific[key] = (void *)value;
    return 0;
}

void *pthread_getspecific(unsigned int key)
{
    if (key >= sley_next_key)
        return 0;
    check_key(key);
    return sley_specific[key];
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
    void (*destructor)(void *) = sley_destructors[key];
    sley_specific[key] = 0;
    if (value && destructor)
        destructor(value);
}

// --- what runs when a thread ends -------------------------------------------------------------------

static _Thread_local int sley_cleanup_handlers;

void __sley_cleanup_push(void)
{
    sley_cleanup_handlers++;
}

void __sley_cleanup_pop(void)
{
    sley_cleanup_handlers--;
}

// A thread that exits in the middle of its functions.
void sley_check_exit(void)
{
    if (sley_cleanup_handlers)
        __sley_give_up("pthread_exit runs cleanup handlers");
    if (keys_to_destroy())
        __sley_give_up("pthread_exit or thrd_exit runs destructors of thread-specific data");
}

// In any order; again if that left new values, but not for ever.
void sley_destroy_specific(void)
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
