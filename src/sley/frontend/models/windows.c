// Threads of Windows.
#include "sley.h"

typedef struct sley_CRITICAL_SECTION section;
typedef struct sley_SRWLOCK srwlock;
typedef struct sley_CONDITION_VARIABLE condition;
typedef unsigned int (*start_function)(void *);

unsigned long long sley_one_of(unsigned long long candidates);

// --- objects with handles ---------------------------------------------------------------------------
// A handle is the number of an object. Those of threads are their numbers as threads; none is used again.

enum { MOST_THREADS = 16, MOST_OBJECTS = 32 };
enum { NOTHING, THREAD, MUTEX, EVENT, SEMAPHORE };
#define INFINITE 0xFFFFFFFFu

struct object {
    _Atomic int kind;
    _Atomic int is_open;
    _Atomic int owner;             // of a mutex: handle of a thread
    _Atomic int value;             // thread: has ended; mutex: further locks; event: is set; semaphore: value
    _Atomic int most;              // semaphore: largest value; event: stays set; mutex: was abandoned; thread: may run
    _Atomic unsigned int code;     // thread: what it returned
};

static struct object sley_objects[MOST_OBJECTS];
static _Atomic int sley_other_objects;
static _Atomic start_function sley_windows_starts[MOST_THREADS];

static struct object *object_of(void *handle)
{
    unsigned long number = (unsigned long)handle;
    __sley_check(number < MOST_OBJECTS && sley_objects[number].is_open, "misuse", "invalid-handle",
                 "a handle is used that is closed or was never valid");
    return &sley_objects[number];
}

static void *new_object(int kind, int owner, int value, int most, const void *name)
{
    if (name)
        __sley_give_up("an object of Windows with a name");
    int number = MOST_THREADS + sley_other_objects++;
    if (number >= MOST_OBJECTS)
        __sley_give_up("more than 16 objects of Windows");
    struct object *o = &sley_objects[number];
    __sley_atomic_begin();
    o->kind = kind;
    o->is_open = 1;
    o->owner = owner;
    o->value = value;
    o->most = most;
    __sley_atomic_end();
    return (void *)(unsigned long)number;
}

int CloseHandle(void *handle)
{
    object_of(handle)->is_open = 0;
    return 1;
}

// --- threads ----------------------------------------------------------------------------------------

// Who ends while it holds a mutex abandons it.
static void end_thread(unsigned int code)
{
    int last = MOST_THREADS + sley_other_objects;
    __sley_atomic_begin();
    for (int number = MOST_THREADS; number < last; number++) {
        struct object *o = &sley_objects[number];
        if (o->kind == MUTEX && o->owner == (int)__sley_self()) {
            o->owner = 0;
            o->value = 0;
            o->most = 1;
        }
    }
    sley_objects[__sley_self()].code = code;
    sley_objects[__sley_self()].value = 1;
    __sley_atomic_end();
}

// Returns nothing, unlike all functions that `start` can be: a call of `start` is no recursion.
static void run(void *argument)
{
    struct object *self = &sley_objects[__sley_self()];
    __sley_atomic_begin();
    __sley_await(self->most);
    __sley_atomic_end();
    start_function start = sley_windows_starts[__sley_self()];
    end_thread(start(argument));
    __sley_exit_thread(0);
}

void *CreateThread(void *attributes, sley_size stack, start_function start, void *argument, unsigned int flags,
                   unsigned int *id)
{
    enum { SUSPENDED = 4 };
    if (__sley_create_fails("CreateThread fails: returns NULL"))
        return 0;
    __sley_atomic_begin();
    unsigned long handle = __sley_create((sley_start)run, argument);
    if (handle >= MOST_THREADS)
        __sley_give_up("more than 15 threads of Windows");
    struct object *o = &sley_objects[handle];
    o->kind = THREAD;
    o->is_open = 1;
    o->most = (flags & SUSPENDED) == 0;
    sley_windows_starts[handle] = start;
    __sley_atomic_end();
    if (id)
        *id = (unsigned int)handle;
    return (void *)handle;
}

unsigned long _beginthreadex(void *attributes, unsigned int stack, start_function start, void *argument,
                             unsigned int flags, unsigned int *id)
{
    return (unsigned long)CreateThread(attributes, stack, start, argument, flags, id);
}

// Threads are suspended only at their start.
unsigned int ResumeThread(void *handle)
{
    struct object *o = object_of(handle);
    __sley_atomic_begin();
    _Bool was_running = o->most;
    o->most = 1;
    __sley_atomic_end();
    return was_running ? 0 : 1;
}

void ExitThread(unsigned int code)
{
    end_thread(code);
    __sley_exit_thread(0);
}

void _endthreadex(unsigned int code)
{
    ExitThread(code);
}

void ExitProcess(unsigned int code)
{
    __sley_end(0);
}

int TerminateThread(void *handle, unsigned int code)
{
    __sley_give_up("a thread is terminated by another one");
}

unsigned int SuspendThread(void *handle)
{
    __sley_give_up("a thread is suspended while it runs");
}

int GetExitCodeThread(void *handle, unsigned int *code)
{
    enum { STILL_ACTIVE = 259 };
    struct object *o = object_of(handle);
    if (o->kind != THREAD)
        return 0;
    *code = o->value ? o->code : STILL_ACTIVE;
    return 1;
}

unsigned int GetCurrentThreadId(void)
{
    return (unsigned int)__sley_self();
}

void Sleep(unsigned int milliseconds)
{
}

unsigned int SleepEx(unsigned int milliseconds, int is_alertable)
{
    if (is_alertable)
        __sley_give_up("an alertable wait");
    return 0;
}

unsigned int GetTickCount(void)
{
    return __sley_nondet_uint();
}

unsigned long long GetTickCount64(void)
{
    return __sley_nondet_ulonglong();
}

int QueryPerformanceCounter(long long *count)
{
    *count = __sley_nondet_longlong();
    return 1;
}

int QueryPerformanceFrequency(long long *frequency)
{
    long long per_second = __sley_nondet_longlong();
    __sley_assume(per_second > 0);
    *frequency = per_second;
    return 1;
}

int SwitchToThread(void)
{
    return __sley_nondet_bool();
}

unsigned int GetLastError(void)
{
    return __sley_nondet_uint();
}

// --- waiting ----------------------------------------------------------------------------------------

static _Bool is_signalled(struct object *o)
{
    return o->kind == MUTEX ? o->owner == 0 || o->owner == (int)__sley_self() : o->value > 0;
}

// Returns whether a mutex was taken that somebody had abandoned.
static _Bool take(struct object *o)
{
    _Bool was_abandoned = 0;
    if (o->kind == MUTEX) {
        was_abandoned = o->most;
        o->most = 0;
        if (o->owner)
            o->value++;
        o->owner = (int)__sley_self();
    } else if (o->kind == SEMAPHORE || (o->kind == EVENT && !o->most)) {
        o->value--;
    }
    return was_abandoned;
}

static _Bool may_be_late(unsigned int milliseconds)
{
    return milliseconds == 0 || (milliseconds != INFINITE && __sley_nondet_bool());
}

static _Bool is_too_late(_Bool is_ready, unsigned int milliseconds)
{
    return milliseconds != INFINITE && (!is_ready || __sley_fails_anyway()) && may_be_late(milliseconds);
}

enum { ABANDONED = 0x80, TIMEOUT = 258 };

unsigned int WaitForSingleObject(void *handle, unsigned int milliseconds)
{
    struct object *o = object_of(handle);
    _Bool was_abandoned = 0;
    __sley_atomic_begin();
    _Bool is_ready = is_signalled(o);
    _Bool is_late = is_too_late(is_ready, milliseconds);
    if (!is_late) {
        __sley_await(is_ready);
        was_abandoned = take(o);
    }
    __sley_atomic_end();
    return is_late ? TIMEOUT : was_abandoned ? ABANDONED : 0;
}

unsigned int WaitForMultipleObjects(unsigned int count, void *const *handles, int all, unsigned int milliseconds)
{
    for (unsigned int i = 0; i < count; i++)
        object_of(handles[i]);
    unsigned int first = count, ready = 0;
    _Bool was_abandoned = 0;
    __sley_atomic_begin();
    for (unsigned int i = 0; i < count; i++)
        if (is_signalled(&sley_objects[(unsigned long)handles[i]])) {
            ready++;
            if (first == count)
                first = i;
        }
    _Bool is_ready = all ? ready == count : ready > 0;
    _Bool is_late = is_too_late(is_ready, milliseconds);
    if (!is_late) {
        __sley_await(is_ready);
        for (unsigned int i = 0; i < count; i++)
            if (all || i == first)
                was_abandoned |= take(&sley_objects[(unsigned long)handles[i]]);
    }
    __sley_atomic_end();
    return is_late ? TIMEOUT : (was_abandoned ? ABANDONED : 0) + (all ? 0 : first);
}

unsigned int WaitForSingleObjectEx(void *handle, unsigned int milliseconds, int is_alertable)
{
    if (is_alertable)
        __sley_give_up("an alertable wait");
    return WaitForSingleObject(handle, milliseconds);
}

unsigned int WaitForMultipleObjectsEx(unsigned int count, void *const *handles, int all, unsigned int milliseconds,
                                      int is_alertable)
{
    if (is_alertable)
        __sley_give_up("an alertable wait");
    return WaitForMultipleObjects(count, handles, all, milliseconds);
}

// --- mutexes, events, semaphores --------------------------------------------------------------------

void *CreateMutexA(void *attributes, int is_owned, const void *name)
{
    return new_object(MUTEX, is_owned ? (int)__sley_self() : 0, 0, 0, name);
}

void *CreateMutexW(void *attributes, int is_owned, const void *name)
{
    return CreateMutexA(attributes, is_owned, name);
}

int ReleaseMutex(void *handle)
{
    struct object *o = object_of(handle);
    if (o->kind != MUTEX || o->owner != (int)__sley_self())
        return 0;
    if (o->value > 0)
        o->value--;
    else
        o->owner = 0;
    return 1;
}

void *CreateEventA(void *attributes, int is_manual, int is_set, const void *name)
{
    return new_object(EVENT, 0, is_set != 0, is_manual != 0, name);
}

void *CreateEventW(void *attributes, int is_manual, int is_set, const void *name)
{
    return CreateEventA(attributes, is_manual, is_set, name);
}

int SetEvent(void *handle)
{
    struct object *o = object_of(handle);
    if (o->kind != EVENT)
        return 0;
    o->value = 1;
    return 1;
}

int ResetEvent(void *handle)
{
    struct object *o = object_of(handle);
    if (o->kind != EVENT)
        return 0;
    o->value = 0;
    return 1;
}

void *CreateSemaphoreA(void *attributes, int value, int most, const void *name)
{
    if (value < 0 || most <= 0 || value > most)
        return 0;
    return new_object(SEMAPHORE, 0, value, most, name);
}

void *CreateSemaphoreW(void *attributes, int value, int most, const void *name)
{
    return CreateSemaphoreA(attributes, value, most, name);
}

int ReleaseSemaphore(void *handle, int count, int *previous)
{
    struct object *o = object_of(handle);
    if (o->kind != SEMAPHORE || count <= 0)
        return 0;
    __sley_atomic_begin();
    int value = o->value;
    _Bool fits = count <= o->most - value;
    if (fits)
        o->value = value + count;
    __sley_atomic_end();
    if (fits && previous)
        *previous = value;
    return fits;
}

// --- critical sections ------------------------------------------------------------------------------

static void check_section(section *s)
{
    int state = s->state;
    __sley_check(state != SLEY_DESTROYED, "misuse", "use-destroyed", "a deleted critical section is used");
    __sley_check(state == SLEY_READY, "misuse", "use-uninitialised", "a critical section is used that was not initialised");
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
    __sley_check(s->owner == 0, "misuse", "destroy-locked", "a critical section is deleted that somebody is in");
    s->state = SLEY_DESTROYED;
}

// --- slim locks -------------------------------------------------------------------------------------
// Not recursive: who has the lock and asks again is blocked for ever, or may be if it only reads.

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
    __sley_atomic_begin();
    _Bool is_late = may_be_late(milliseconds);
    if (!is_late)
        __sley_await_spurious((c->waiters & own_bit()) == 0);
    c->waiters &= ~own_bit();
    __sley_atomic_end();
    return !is_late;
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

// --- once, barriers, data of single threads ---------------------------------------------------------

typedef struct sley_INIT_ONCE once;
typedef struct sley_SYNCHRONIZATION_BARRIER synchronization_barrier;

int pthread_barrier_init(struct sley_pthread_barrier_t *b, const void *attributes, unsigned int count);
int pthread_barrier_wait(struct sley_pthread_barrier_t *b);
int pthread_barrier_destroy(struct sley_pthread_barrier_t *b);
int pthread_key_create(unsigned int *key, void (*destructor)(void *));
int pthread_key_delete(unsigned int key);
int pthread_setspecific(unsigned int key, const void *value);
void *pthread_getspecific(unsigned int key);

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
    return pthread_barrier_init(&b->barrier, 0, threads) == 0;
}

int EnterSynchronizationBarrier(synchronization_barrier *b, unsigned int flags)
{
    return pthread_barrier_wait(&b->barrier) != 0;
}

int DeleteSynchronizationBarrier(synchronization_barrier *b)
{
    return pthread_barrier_destroy(&b->barrier) == 0;
}

unsigned int TlsAlloc(void)
{
    unsigned int key;
    pthread_key_create(&key, 0);
    return key;
}

int TlsFree(unsigned int key)
{
    return pthread_key_delete(key) == 0;
}

int TlsSetValue(unsigned int key, void *value)
{
    return pthread_setspecific(key, value) == 0;
}

void *TlsGetValue(unsigned int key)
{
    return pthread_getspecific(key);
}

// --- interlocked operations -------------------------------------------------------------------------

int InterlockedIncrement(volatile int *target)
{
    return __atomic_add_fetch(target, 1, __ATOMIC_SEQ_CST);
}

int InterlockedDecrement(volatile int *target)
{
    return __atomic_sub_fetch(target, 1, __ATOMIC_SEQ_CST);
}

int InterlockedExchange(volatile int *target, int value)
{
    return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

int InterlockedExchangeAdd(volatile int *target, int value)
{
    return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);
}

int InterlockedCompareExchange(volatile int *target, int value, int expected)
{
    return __sync_val_compare_and_swap(target, expected, value);
}

int InterlockedAnd(volatile int *target, int value)
{
    return __atomic_fetch_and(target, value, __ATOMIC_SEQ_CST);
}

int InterlockedOr(volatile int *target, int value)
{
    return __atomic_fetch_or(target, value, __ATOMIC_SEQ_CST);
}

int InterlockedXor(volatile int *target, int value)
{
    return __atomic_fetch_xor(target, value, __ATOMIC_SEQ_CST);
}

long long InterlockedIncrement64(volatile long long *target)
{
    return __atomic_add_fetch(target, 1, __ATOMIC_SEQ_CST);
}

long long InterlockedDecrement64(volatile long long *target)
{
    return __atomic_sub_fetch(target, 1, __ATOMIC_SEQ_CST);
}

long long InterlockedExchange64(volatile long long *target, long long value)
{
    return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

long long InterlockedExchangeAdd64(volatile long long *target, long long value)
{
    return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);
}

long long InterlockedCompareExchange64(volatile long long *target, long long value, long long expected)
{
    return __sync_val_compare_and_swap(target, expected, value);
}

void *InterlockedExchangePointer(void *volatile *target, void *value)
{
    return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

void *InterlockedCompareExchangePointer(void *volatile *target, void *value, void *expected)
{
    return __sync_val_compare_and_swap(target, expected, value);
}

int InterlockedAdd(volatile int *target, int value)
{
    return __atomic_add_fetch(target, value, __ATOMIC_SEQ_CST);
}

long long InterlockedAdd64(volatile long long *target, long long value)
{
    return __atomic_add_fetch(target, value, __ATOMIC_SEQ_CST);
}

short InterlockedIncrement16(volatile short *target)
{
    return __atomic_add_fetch(target, 1, __ATOMIC_SEQ_CST);
}

short InterlockedDecrement16(volatile short *target)
{
    return __atomic_sub_fetch(target, 1, __ATOMIC_SEQ_CST);
}

long long InterlockedAnd64(volatile long long *target, long long value)
{
    return __atomic_fetch_and(target, value, __ATOMIC_SEQ_CST);
}

long long InterlockedOr64(volatile long long *target, long long value)
{
    return __atomic_fetch_or(target, value, __ATOMIC_SEQ_CST);
}

long long InterlockedXor64(volatile long long *target, long long value)
{
    return __atomic_fetch_xor(target, value, __ATOMIC_SEQ_CST);
}

unsigned char InterlockedBitTestAndSet(volatile int *target, int bit)
{
    int mask = (int)(1U << (bit & 31));
    return (__atomic_fetch_or(target, mask, __ATOMIC_SEQ_CST) & mask) != 0;
}

unsigned char InterlockedBitTestAndReset(volatile int *target, int bit)
{
    int mask = (int)(1U << (bit & 31));
    return (__atomic_fetch_and(target, ~mask, __ATOMIC_SEQ_CST) & mask) != 0;
}
