// Read-write locks, spin locks, barriers and `once` of POSIX.
#include "sley.h"

typedef struct sley_pthread_rwlock_t rwlock;
typedef struct sley_pthread_rwlockattr_t rwlockattr;
typedef struct sley_pthread_barrier_t barrier;
typedef struct sley_pthread_barrierattr_t barrierattr;

// --- read-write locks -------------------------------------------------------------------------------
// POSIX leaves open whether a reader gets the lock while a writer waits: both can happen. So a reader that asks
// again, or waits for another reader, may be in a deadlock. A writer that asks again, or reads and wants to write, is
// blocked for ever or told so (EDEADLK): both can happen.

int pthread_rwlockattr_init(rwlockattr *attributes)
{
    attributes->kind = 0;
    return sley_initialise_attributes(&attributes->bits);
}

int pthread_rwlockattr_destroy(rwlockattr *attributes)
{
    return sley_destroy_attributes(&attributes->bits);
}

int pthread_rwlockattr_setpshared(rwlockattr *attributes, int shared)
{
    return sley_set_attribute(&attributes->bits, 0, 1, shared);
}

int pthread_rwlockattr_getpshared(const rwlockattr *attributes, int *shared)
{
    *shared = sley_attribute(&attributes->bits, 0, 1);
    return 0;
}

// A lock that prefers writers lets a reader wait for another reader, which can end in a deadlock.
int pthread_rwlockattr_setkind_np(rwlockattr *attributes, int kind)
{
    sley_check_attributes(attributes->bits);
    if (kind < 0 || kind > 2)
        return SLEY_EINVAL;
    if (kind == 2)
        __sley_give_up("a read-write lock that prefers writers");
    attributes->kind = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const rwlockattr *attributes, int *kind)
{
    sley_check_attributes(attributes->bits);
    *kind = attributes->kind;
    return 0;
}

static void check_lock(int state)
{
    __sley_check(state != SLEY_DESTROYED, "misuse", "use-destroyed", "a destroyed {} is used", "read-write lock");
    __sley_check(state == SLEY_ZEROED, "misuse", "use-uninitialised",
                 "a {} is used that was not initialised", "read-write lock");
}

int pthread_rwlock_init(rwlock *l, const rwlockattr *attributes)
{
    __sley_rely_on(SLEY_ROOM);
    if (attributes)
        sley_check_attributes(attributes->bits);
    _Bool is_static = __sley_is_static(l);
    __sley_atomic_begin();
    _Bool was_initialised = is_static && l->is_initialised;
    l->writer = 0;
    l->waiting = 0;
    l->readers = 0;
    l->state = SLEY_ZEROED;
    l->is_initialised = 1;
    __sley_atomic_end();
    __sley_check(!was_initialised, "misuse", "initialise-twice", "a read-write lock is initialised twice");
    return 0;
}

int pthread_rwlock_destroy(rwlock *l)
{
    __sley_atomic_begin();
    int state = l->state;
    _Bool is_free = l->writer == 0 && l->readers == 0;
    _Bool is_awaited = l->waiting != 0;
    l->is_initialised = 0;
    l->state = SLEY_DESTROYED;
    __sley_atomic_end();
    __sley_check(state != SLEY_DESTROYED, "misuse", "destroy-twice", "a read-write lock is destroyed twice");
    check_lock(state);
    __sley_check(is_free, "misuse", "destroy-locked", "a locked read-write lock is destroyed");
    __sley_check(!is_awaited, "misuse", "destroy-awaited", "an awaited read-write lock is destroyed");
    return 0;
}

// One read lock of the calling thread, in its own four bits.
static unsigned long long own_reader(void)
{
    if (__sley_self() > 16)
        __sley_give_up("more than 16 threads use a read-write lock");
    return 1ULL << 4 * (__sley_self() - 1);
}

// The bits of one thread from one number, all others from another: nothing is carried from thread to thread.
static unsigned long long with_reads(unsigned long long readers, unsigned long long own, unsigned long long sum)
{
    return (readers & ~(15 * own)) | (sum & 15 * own);
}

static void add_reader(rwlock *l, unsigned long long own)
{
    unsigned long long readers = l->readers;
    if ((readers & 15 * own) == 15 * own)
        __sley_give_up("a thread holds 16 locks for reading");
    l->readers = with_reads(readers, own, readers + own);
}

// A writer wants to read: no other thread can change that.
static int read_while_writing(rwlock *l)
{
    if (__sley_nondet_bool())
        return SLEY_EDEADLK;
    __sley_atomic_begin();
    __sley_await(l->writer == 0);
    __sley_atomic_end();
    return 0;
}

// While a writer waits, a reader may get the lock, but cannot count on it.
int pthread_rwlock_rdlock(rwlock *l)
{
    unsigned long long own = own_reader();
    __sley_atomic_begin();
    int state = l->state;
    _Bool is_writer = l->writer == (int)__sley_self();
    if (state == SLEY_ZEROED && !is_writer) {
        __sley_await(l->writer == 0);
        __sley_await_spurious(l->waiting == 0);
        add_reader(l, own);
    }
    __sley_atomic_end();
    check_lock(state);
    return is_writer ? read_while_writing(l) : 0;
}

int pthread_rwlock_tryrdlock(rwlock *l)
{
    unsigned long long own = own_reader();
    __sley_atomic_begin();
    int state = l->state;
    _Bool is_free = state == SLEY_ZEROED && l->writer == 0 && (l->waiting == 0 || __sley_nondet_bool());
    if (is_free && __sley_fails_anyway())
        is_free = 0;
    if (is_free)
        add_reader(l, own);
    __sley_atomic_end();
    check_lock(state);
    return is_free ? 0 : SLEY_EBUSY;
}

int pthread_rwlock_timedrdlock(rwlock *l, const struct sley_deadline *deadline)
{
    unsigned long long own = own_reader();
    _Bool is_valid = sley_is_deadline(deadline);
    int error = 0;
    __sley_atomic_begin();
    int state = l->state;
    _Bool is_free = l->writer == 0;
    if (l->writer == (int)__sley_self() && __sley_nondet_bool())
        error = SLEY_EDEADLK;
    else if (!is_valid && (!is_free || __sley_nondet_bool()))
        error = SLEY_EINVAL;
    else if ((!is_free || l->waiting || __sley_fails_anyway()) && __sley_nondet_bool())
        error = is_valid ? SLEY_ETIMEDOUT : SLEY_EINVAL;
    else if (state == SLEY_ZEROED) {
        __sley_await(is_free);
        add_reader(l, own);
    }
    __sley_atomic_end();
    check_lock(state);
    return error;
}

enum { TAKEN, AWAITED, REFUSED };

// Takes the lock if it is free; else the others see that a writer waits.
static int start_writing(rwlock *l, _Bool waits)
{
    int result = AWAITED;
    __sley_atomic_begin();
    int state = l->state;
    _Bool is_free = state == SLEY_ZEROED && l->writer == 0 && l->readers == 0;
    if (is_free && !waits && __sley_fails_anyway())
        is_free = 0;
    if (is_free) {
        __sley_lock(&l->writer);
        result = TAKEN;
    } else if (waits && state == SLEY_ZEROED) {
        _Bool is_own = l->writer == (int)__sley_self() || (l->readers & 15 * own_reader()) != 0;
        if (is_own && __sley_nondet_bool())
            result = REFUSED;
        else
            l->waiting++;
    }
    __sley_atomic_end();
    check_lock(state);
    return result;
}

static _Bool wait_for_writing(rwlock *l, _Bool has_deadline)
{
    __sley_atomic_begin();
    _Bool is_late = has_deadline && __sley_nondet_bool();
    if (!is_late) {
        __sley_await(l->readers == 0);
        __sley_lock(&l->writer);
    }
    l->waiting--;
    __sley_atomic_end();
    return is_late;
}

int pthread_rwlock_wrlock(rwlock *l)
{
    int result = start_writing(l, 1);
    if (result == REFUSED)
        return SLEY_EDEADLK;
    if (result == AWAITED)
        wait_for_writing(l, 0);
    return 0;
}

int pthread_rwlock_trywrlock(rwlock *l)
{
    return start_writing(l, 0) == TAKEN ? 0 : SLEY_EBUSY;
}

// A failure tells nothing: it may have failed before it looked at the lock.
int pthread_rwlock_timedwrlock(rwlock *l, const struct sley_deadline *deadline)
{
    _Bool is_valid = sley_is_deadline(deadline);
    if (__sley_fails_anyway() || (!is_valid && __sley_nondet_bool()))
        return is_valid ? SLEY_ETIMEDOUT : SLEY_EINVAL;
    int result = start_writing(l, is_valid);
    if (result == TAKEN)
        return 0;
    if (result == REFUSED)
        return SLEY_EDEADLK;
    return !is_valid ? SLEY_EINVAL : wait_for_writing(l, 1) ? SLEY_ETIMEDOUT : 0;
}

int pthread_rwlock_clockrdlock(rwlock *l, int clock, const struct sley_deadline *deadline)
{
    return sley_has_deadlines(clock) ? pthread_rwlock_timedrdlock(l, deadline) : SLEY_EINVAL;
}

int pthread_rwlock_clockwrlock(rwlock *l, int clock, const struct sley_deadline *deadline)
{
    return sley_has_deadlines(clock) ? pthread_rwlock_timedwrlock(l, deadline) : SLEY_EINVAL;
}

static void release_reader(rwlock *l)
{
    unsigned long long own = own_reader();
    __sley_atomic_begin();
    int state = l->state;
    unsigned long long readers = l->readers;
    _Bool is_held = state == SLEY_ZEROED && (readers & 15 * own) != 0;
    if (is_held)
        l->readers = with_reads(readers, own, readers - own);
    __sley_atomic_end();
    check_lock(state);
    __sley_check(is_held, "misuse", "unlock-not-held", "a lock is released that the thread does not hold");
}

int pthread_rwlock_unlock(rwlock *l)
{
    if (l->writer != 0)
        __sley_unlock(&l->writer);
    else
        release_reader(l);
    return 0;
}

// --- spin locks -------------------------------------------------------------------------------------
// To spin is to be blocked: waiting for a lock that is never released is a deadlock.

enum { SPIN_DESTROYED = -1 };
static _Atomic int sley_spin_locks_go;    // whether one was ever destroyed

static void check_spin_lock(_Atomic int *lock)
{
    if (sley_spin_locks_go)
        __sley_check(*lock != SPIN_DESTROYED, "misuse", "use-destroyed", "a destroyed {} is used", "spin lock");
}

int pthread_spin_init(_Atomic int *lock, int shared)
{
    __sley_rely_on(SLEY_ROOM);
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(_Atomic int *lock)
{
    int owner = *lock;
    __sley_check(owner != SPIN_DESTROYED, "misuse", "destroy-twice", "a spin lock is destroyed twice");
    __sley_check(owner == 0 || owner == SPIN_DESTROYED, "misuse", "destroy-locked", "a locked spin lock is destroyed");
    sley_spin_locks_go = 1;
    *lock = SPIN_DESTROYED;
    return 0;
}

int pthread_spin_lock(_Atomic int *lock)
{
    check_spin_lock(lock);
    __sley_lock(lock);
    return 0;
}

int pthread_spin_trylock(_Atomic int *lock)
{
    check_spin_lock(lock);
    __sley_atomic_begin();
    _Bool is_free = *lock == 0 && !__sley_fails_anyway();
    if (is_free)
        __sley_lock(lock);
    __sley_atomic_end();
    return is_free ? 0 : SLEY_EBUSY;
}

int pthread_spin_unlock(_Atomic int *lock)
{
    __sley_unlock_plainly(lock);
    return 0;
}

// --- barriers ---------------------------------------------------------------------------------------
// A released thread does not look at the barrier any more, which may be gone by then.

static _Atomic unsigned long long sley_at_barriers;    // all threads that wait at a barrier: bit (handle - 1)

static unsigned long long own_bit(void)
{
    if (__sley_self() > 64)
        __sley_give_up("more than 64 threads wait for a barrier");
    return 1ULL << (__sley_self() - 1);
}

int pthread_barrierattr_init(barrierattr *attributes)
{
    return sley_initialise_attributes(&attributes->bits);
}

int pthread_barrierattr_destroy(barrierattr *attributes)
{
    return sley_destroy_attributes(&attributes->bits);
}

int pthread_barrierattr_setpshared(barrierattr *attributes, int shared)
{
    return sley_set_attribute(&attributes->bits, 0, 1, shared);
}

int pthread_barrierattr_getpshared(const barrierattr *attributes, int *shared)
{
    *shared = sley_attribute(&attributes->bits, 0, 1);
    return 0;
}

int pthread_barrier_init(barrier *b, const barrierattr *attributes, unsigned int count)
{
    __sley_rely_on(SLEY_ROOM);
    if (attributes)
        sley_check_attributes(attributes->bits);
    if (count == 0)
        return SLEY_EINVAL;
    _Bool is_static = __sley_is_static(b);
    __sley_atomic_begin();
    _Bool was_initialised = is_static && b->state == SLEY_READY;
    b->waiters = 0;
    b->arrived = 0;
    b->needed = count;
    b->state = SLEY_READY;
    __sley_atomic_end();
    __sley_check(!was_initialised, "misuse", "initialise-twice", "a barrier is initialised twice");
    return 0;
}

static void check_barrier(int state)
{
    __sley_check(state != SLEY_DESTROYED, "misuse", "use-destroyed", "a destroyed {} is used", "barrier");
    __sley_check(state == SLEY_READY || state == SLEY_DESTROYED, "misuse", "use-uninitialised",
                 "a {} is used that was not initialised", "barrier");
}

int pthread_barrier_destroy(barrier *b)
{
    __sley_atomic_begin();
    int state = b->state;
    _Bool is_awaited = b->arrived != 0;
    b->state = SLEY_DESTROYED;
    __sley_atomic_end();
    __sley_check(state != SLEY_DESTROYED, "misuse", "destroy-twice", "a barrier is destroyed twice");
    check_barrier(state);
    __sley_check(!is_awaited, "misuse", "destroy-awaited", "an awaited barrier is destroyed");
    return 0;
}

// The last to arrive sets all free and is the one that gets PTHREAD_BARRIER_SERIAL_THREAD (-1), as in glibc.
int pthread_barrier_wait(barrier *b)
{
    __sley_rely_on("the serial thread of a barrier is the last to arrive");
    unsigned long long own = own_bit();
    __sley_atomic_begin();
    int state = b->state;
    _Bool is_last = 0;
    if (state == SLEY_READY) {
        unsigned int arrived = b->arrived + 1;
        unsigned long long waiters = b->waiters;
        is_last = arrived == b->needed;
        b->arrived = is_last ? 0 : arrived;
        b->waiters = is_last ? 0 : waiters | own;
        sley_at_barriers = is_last ? sley_at_barriers & ~waiters : sley_at_barriers | own;
    }
    __sley_atomic_end();
    check_barrier(state);
    if (is_last)
        return -1;
    __sley_atomic_begin();
    __sley_await((sley_at_barriers & own) == 0);
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
    __sley_check(NOT_YET <= state && state <= DONE, "misuse", "use-uninitialised",
                 "a {} is used that was not initialised", "`once`");
    if (state == NOT_YET) {
        initialise();
        *once = DONE;
    }
    return 0;
}
