// Locks of Windows: what threads of one process wait for without handles.
#include "sley.h"

typedef struct sley_CRITICAL_SECTION section;
typedef struct sley_SRWLOCK srwlock;
typedef struct sley_CONDITION_VARIABLE condition;

unsigned long long sley_one_of(unsigned long long candidates);
_Bool sley_may_be_late(unsigned int milliseconds);
int sley_windows_fails(unsigned int error);
int sley_windows_fails_somehow(void);
int sley_windows_succeeds(void);

// --- critical sections ------------------------------------------------------------------------------

static void check_section(section *s)
{
    int state = s->state;
    __sley_check(state != SLEY_DESTROYED, "misuse", "use-destroyed", "a deleted critical section is used");
    __sley_check(state == SLEY_READY, "misuse", "use-uninitialised", "a {} is used that was not initialised", "critical section");
}

void InitializeCriticalSection(section *s)
{
    __sley_atomic_begin();
    s->owner = 0;
    s->depth = 0;
    s->state = SLEY_READY;
    __sley_atomic_end();
}

int InitializeCriticalSectionAndSpinCount(section *s, unsigned int spins)
{
    InitializeCriticalSection(s);
    return 1;
}

int InitializeCriticalSectionEx(section *s, unsigned int spins, unsigned int flags)
{
    if (__sley_create_fails("InitializeCriticalSectionEx fails: returns FALSE"))
        return sley_windows_fails_somehow();
    InitializeCriticalSection(s);
    return 1;
}

void EnterCriticalSection(section *s)
{
    check_section(s);
    if (s->owner == (int)__sley_self())
        s->depth++;
    else
        __sley_lock(&s->owner);
}

int TryEnterCriticalSection(section *s)
{
    check_section(s);
    if (s->owner == (int)__sley_self()) {
        s->depth++;
        return 1;
    }
    __sley_atomic_begin();
    _Bool is_free = s->owner == 0 && !__sley_fails_anyway();
    if (is_free)
        __sley_lock(&s->owner);
    __sley_atomic_end();
    return is_free;
}

void LeaveCriticalSection(section *s)
{
    check_section(s);
    if (s->owner == (int)__sley_self() && s->depth > 0)
        s->depth--;
    else
        __sley_unlock(&s->owner);
}

void DeleteCriticalSection(section *s)
{
    check_section(s);
    __sley_check(s->owner == 0, "misuse", "destroy-locked", "a critical section is deleted that a thread is in");
    s->state = SLEY_DESTROYED;
}

// --- slim locks -------------------------------------------------------------------------------------
// Not recursive: the owner that asks again is blocked for ever, or may be if it only reads.

void InitializeSRWLock(srwlock *l)
{
    __sley_atomic_begin();
    l->writer = 0;
    l->readers = 0;
    __sley_atomic_end();
}

void AcquireSRWLockExclusive(srwlock *l)
{
    __sley_atomic_begin();
    __sley_await(l->readers == 0);
    __sley_lock(&l->writer);
    __sley_atomic_end();
}

static unsigned int own_reader(srwlock *l)
{
    unsigned int own = 1U << (__sley_self() - 1);
    if (__sley_self() > 32)
        __sley_give_up("more than 32 threads use a slim lock");
    if (l->readers & own)
        __sley_give_up("a thread acquires a slim lock twice");
    return own;
}

void AcquireSRWLockShared(srwlock *l)
{
    unsigned int own = own_reader(l);
    __sley_atomic_begin();
    __sley_await(l->writer == 0);
    l->readers |= own;
    __sley_atomic_end();
}

unsigned char TryAcquireSRWLockExclusive(srwlock *l)
{
    __sley_atomic_begin();
    _Bool is_free = l->writer == 0 && l->readers == 0 && !__sley_fails_anyway();
    if (is_free)
        __sley_lock(&l->writer);
    __sley_atomic_end();
    return is_free;
}

unsigned char TryAcquireSRWLockShared(srwlock *l)
{
    unsigned int own = own_reader(l);
    __sley_atomic_begin();
    _Bool is_free = l->writer == 0 && !__sley_fails_anyway();
    if (is_free)
        l->readers |= own;
    __sley_atomic_end();
    return is_free;
}

void ReleaseSRWLockExclusive(srwlock *l)
{
    __sley_unlock(&l->writer);
}

void ReleaseSRWLockShared(srwlock *l)
{
    unsigned int own = 1U << (__sley_self() - 1);
    unsigned int readers = __atomic_fetch_and(&l->readers, ~own, __ATOMIC_SEQ_CST);
    __sley_check(readers & own, "misuse", "unlock-not-held", "a lock is released that the thread does not hold");
}

// --- condition variables ----------------------------------------------------------------------------

void InitializeConditionVariable(condition *c)
{
    c->waiters = 0;
}

static unsigned long long own_bit(void)
{
    if (__sley_self() > 64)
        __sley_give_up("more than 64 threads wait for a condition");
    return 1ULL << (__sley_self() - 1);
}

// Returns FALSE if it was late, perhaps after it was woken up.
static int wait(condition *c, unsigned int milliseconds)
{
    enum { LATE = 1460 };
    __sley_atomic_begin();
    _Bool is_late = sley_may_be_late(milliseconds);
    if (!is_late)
        __sley_await_spurious((c->waiters & own_bit()) == 0);
    c->waiters &= ~own_bit();
    __sley_atomic_end();
    return is_late ? sley_windows_fails(LATE) : sley_windows_succeeds();
}

int SleepConditionVariableCS(condition *c, section *s, unsigned int milliseconds)
{
    check_section(s);
    __sley_check(s->owner == (int)__sley_self() && s->depth == 0, "misuse", "wait-without-mutex",
                 "waits without being in the critical section exactly once");
    __sley_atomic_begin();
    c->waiters |= own_bit();
    __sley_unlock(&s->owner);
    __sley_atomic_end();
    int result = wait(c, milliseconds);
    EnterCriticalSection(s);
    return result;
}

int SleepConditionVariableSRW(condition *c, srwlock *l, unsigned int milliseconds, unsigned int flags)
{
    enum { SHARED = 1 };
    _Bool is_shared = flags & SHARED;
    unsigned int own = 1U << (__sley_self() - 1);
    _Bool is_held = is_shared ? (l->readers & own) != 0 : l->writer == (int)__sley_self();
    __sley_check(is_held, "misuse", "wait-without-mutex", "waits without holding the slim lock");
    __sley_atomic_begin();
    c->waiters |= own_bit();
    if (is_shared)
        l->readers &= ~own;
    else
        __sley_unlock(&l->writer);
    __sley_atomic_end();
    int result = wait(c, milliseconds);
    if (is_shared)
        AcquireSRWLockShared(l);
    else
        AcquireSRWLockExclusive(l);
    return result;
}

void WakeConditionVariable(condition *c)
{
    __sley_atomic_begin();
    unsigned long long candidates = c->waiters;
    if (candidates)
        c->waiters = candidates & ~sley_one_of(candidates);
    __sley_atomic_end();
}

void WakeAllConditionVariable(condition *c)
{
    c->waiters = 0;
}

// --- once, barriers --------------------------------------------------------------------------------

typedef struct sley_INIT_ONCE once;
typedef struct sley_SYNCHRONIZATION_BARRIER synchronization_barrier;

enum { INVALID_PARAMETER = 87 };

int pthread_barrier_init(struct sley_pthread_barrier_t *b, const void *attributes, unsigned int count);
int pthread_barrier_wait(struct sley_pthread_barrier_t *b);
int pthread_barrier_destroy(struct sley_pthread_barrier_t *b);

// A function that fails leaves the initialisation to the next one.
int InitOnceExecuteOnce(once *o, int (*initialise)(once *, void *, void **), void *parameter, void **context)
{
    enum { NOT_YET, RUNNING, DONE };
    if (context)
        __sley_give_up("an initialisation with a context");
    __sley_atomic_begin();
    int state = o->state;
    __sley_await(state != RUNNING);
    if (state == NOT_YET)
        o->state = RUNNING;
    __sley_atomic_end();
    if (state == DONE)
        return 1;
    int has_succeeded = initialise(o, parameter, context);
    o->state = has_succeeded ? DONE : NOT_YET;
    return has_succeeded != 0;
}

void InitOnceInitialize(once *o)
{
    o->state = 0;
}

int InitializeSynchronizationBarrier(synchronization_barrier *b, int threads, int spins)
{
    if (threads < 1)
        return sley_windows_fails(INVALID_PARAMETER);
    pthread_barrier_init(&b->barrier, 0, threads);
    return sley_windows_succeeds();
}

int EnterSynchronizationBarrier(synchronization_barrier *b, unsigned int flags)
{
    return pthread_barrier_wait(&b->barrier) != 0;
}

int DeleteSynchronizationBarrier(synchronization_barrier *b)
{
    return pthread_barrier_destroy(&b->barrier) == 0;
}
