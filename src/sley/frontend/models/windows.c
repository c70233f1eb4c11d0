// Threads of Windows, and what has a handle.
#include "sley.h"

typedef unsigned int (*start_function)(void *);

int sley_windows_fails(unsigned int error);
int sley_windows_fails_somehow(void);
int sley_windows_succeeds(void);

// --- objects with handles ---------------------------------------------------------------------------
// An object has a number; those of threads are their numbers as threads. The user's handle is an id: it can be compared
// with others, and nothing else is known of it. That of a closed object may come again.

enum { MOST_THREADS = 16, MOST_OBJECTS = 32 };
enum { NOTHING, THREAD, MUTEX, EVENT, SEMAPHORE };
enum { INVALID_HANDLE = 6, INVALID_PARAMETER = 87, NOT_OWNER = 288, TOO_MANY_POSTS = 298 };
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
static _Atomic _Bool sley_is_any_closed;
static _Atomic start_function sley_windows_starts[MOST_THREADS];

static void check_is_open(_Bool is_open)
{
    __sley_check(is_open, "misuse", "invalid-handle", "a handle is used that is closed or was never valid");
}

// MOST_OBJECTS of what is no handle.
static unsigned long number_of(void *handle)
{
    if (!handle || handle == (void *)-1)
        return MOST_OBJECTS;
    unsigned long number = __sley_handle((unsigned long)handle);
    return number < MOST_OBJECTS ? number : MOST_OBJECTS;
}

static struct object *object_of(void *handle)
{
    unsigned long number = number_of(handle);
    check_is_open(number < MOST_OBJECTS && sley_objects[number].is_open);
    return &sley_objects[number];
}

static int new_number(void)
{
    int last = MOST_THREADS + sley_other_objects;
    if (sley_is_any_closed)
        for (int number = MOST_THREADS; number < last; number++)
            if (!sley_objects[number].is_open && __sley_nondet_bool())
                return number;
    if (last == MOST_OBJECTS)
        __sley_give_up("more than 16 objects of Windows");
    sley_other_objects = last + 1 - MOST_THREADS;
    return last;
}

static void *new_object(int kind, int owner, int value, int most, const void *name)
{
    if (name)
        __sley_give_up("an object of Windows with a name");
    __sley_atomic_begin();
    int number = new_number();
    struct object *o = &sley_objects[number];
    o->kind = kind;
    o->is_open = 1;
    o->owner = owner;
    o->value = value;
    o->most = most;
    __sley_atomic_end();
    sley_windows_succeeds();
    return (void *)__sley_id(number);
}

static void *no_handle(unsigned int error)
{
    sley_windows_fails(error);
    return 0;
}

static void *no_object(void)
{
    sley_windows_fails_somehow();
    return 0;
}

// Also used while another thread waits for the object: then that is wrong.
int CloseHandle(void *handle)
{
    unsigned long number = number_of(handle);
    _Bool was_open = number < MOST_OBJECTS && __atomic_exchange_n(&sley_objects[number].is_open, 0, __ATOMIC_SEQ_CST);
    check_is_open(was_open);
    if (sley_objects[number].kind == THREAD)
        __sley_detach(number);
    else
        sley_is_any_closed = 1;
    return sley_windows_succeeds();
}

// --- ids of threads ---------------------------------------------------------------------------------
// An id is any number but 0, different from those of threads that live at the same time. The creator chooses
// its id, if the program asks for any; that of another one, such as main, is chosen when it asks.

static _Atomic unsigned int sley_ids[MOST_THREADS];
static _Atomic unsigned int sley_has_id;                        // bit by bit
static _Atomic unsigned int sley_ended_before[MOST_THREADS];    // the threads that had ended when this one began, bit by bit

static unsigned int ended(void)
{
    unsigned int threads = 0;
    for (int thread = 1; thread < MOST_THREADS; thread++)
        if (sley_objects[thread].value)
            threads |= 1U << thread;
    return threads;
}

// In an atomic section; returns the threads whose ids are to be others.
static unsigned int give_id(unsigned long thread, unsigned int id)
{
    sley_ids[thread] = id;
    sley_has_id |= 1U << thread;
    return sley_has_id & ~(sley_ended_before[thread] | 1U << thread);
}

// Outside of it: of two threads with the same id, the later one does not get beyond this.
static void assume_is_new(unsigned int id, unsigned int rivals)
{
    __sley_assume(id != 0);
    for (; rivals; rivals &= rivals - 1)
        __sley_assume(sley_ids[__builtin_ctz(rivals)] != id);
}

unsigned int GetCurrentThreadId(void)
{
    static _Thread_local _Bool sley_knows_its_id;
    unsigned long self = __sley_self();
    if (self >= MOST_THREADS)
        __sley_give_up("ids of more than 15 threads of Windows");
    if (sley_objects[self].kind != THREAD && !sley_knows_its_id) {
        unsigned int id = __sley_nondet_uint();
        __sley_atomic_begin();
        unsigned int rivals = give_id(self, id);
        __sley_atomic_end();
        assume_is_new(id, rivals);
        sley_knows_its_id = 1;
    }
    return sley_ids[self];
}

// --- threads ----------------------------------------------------------------------------------------

// A thread that ends while it holds a mutex abandons it.
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
                   unsigned int *result)
{
    enum { SUSPENDED = 4 };
    if (__sley_create_fails("CreateThread fails: returns NULL"))
        return no_object();
    // A thread whose id turns out to be that of another one never runs.
    _Bool has_id = result || __sley_mentions("GetCurrentThreadId");
    unsigned int id = 0, rivals = 0;
    if (has_id)
        id = __sley_nondet_uint();
    __sley_atomic_begin();
    unsigned long number = __sley_create((sley_start)run, argument);
    if (number >= MOST_THREADS)
        __sley_give_up("more than 15 threads of Windows");
    struct object *o = &sley_objects[number];
    o->kind = THREAD;
    o->is_open = 1;
    o->most = (flags & SUSPENDED) == 0 && !has_id;
    sley_windows_starts[number] = start;
    if (has_id) {
        sley_ended_before[number] = ended();
        rivals = give_id(number, id);
    }
    __sley_atomic_end();
    if (has_id) {
        assume_is_new(id, rivals);
        if ((flags & SUSPENDED) == 0)
            o->most = 1;
    }
    if (result)
        *result = id;
    sley_windows_succeeds();
    return (void *)__sley_id(number);
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

// Not a function that orders memory: to learn from it that a thread has ended is not to wait for it.
int GetExitCodeThread(void *handle, unsigned int *code)
{
    enum { STILL_ACTIVE = 259 };
    struct object *o = object_of(handle);
    if (o->kind != THREAD)
        return sley_windows_fails(INVALID_HANDLE);
    _Bool has_ended = o->value;
    if (!has_ended && __sley_fails_anyway())
        *code = __sley_unknown_uint("GetExitCodeThread");
    else
        *code = has_ended ? o->code : STILL_ACTIVE;
    return sley_windows_succeeds();
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

int SwitchToThread(void)
{
    return __sley_nondet_bool();
}

// --- waiting ----------------------------------------------------------------------------------------

static _Bool is_signalled(struct object *o)
{
    return o->kind == MUTEX ? o->owner == 0 || o->owner == (int)__sley_self() : o->value > 0;
}

// Returns whether a mutex was taken that was abandoned.
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

_Bool sley_may_be_late(unsigned int milliseconds)
{
    return milliseconds == 0 || (milliseconds != INFINITE && __sley_nondet_bool());
}

static _Bool is_too_late(_Bool is_ready, unsigned int milliseconds)
{
    return milliseconds != INFINITE && (!is_ready || __sley_fails_anyway()) && sley_may_be_late(milliseconds);
}

enum { ABANDONED = 0x80, TIMEOUT = 258 };

// A handle must not be closed before the wait is over.
unsigned int WaitForSingleObject(void *handle, unsigned int milliseconds)
{
    struct object *o = object_of(handle);
    _Bool was_abandoned = 0;
    __sley_atomic_begin();
    _Bool is_open = o->is_open;
    _Bool is_ready = is_signalled(o);
    _Bool is_late = is_too_late(is_ready, milliseconds);
    if (is_open && !is_late) {
        __sley_await(is_ready);
        was_abandoned = take(o);
    }
    __sley_atomic_end();
    check_is_open(is_open);
    sley_windows_succeeds();
    return is_late ? TIMEOUT : was_abandoned ? ABANDONED : 0;
}

unsigned int WaitForMultipleObjects(unsigned int count, void *const *handles, int all, unsigned int milliseconds)
{
    enum { MOST_AWAITED = 64, FAILED = -1 };
    if (count == 0 || count > MOST_AWAITED) {
        sley_windows_fails(INVALID_PARAMETER);
        return FAILED;
    }
    for (unsigned int i = 0; i < count; i++)
        object_of(handles[i]);
    unsigned int first = count, ready = 0;
    _Bool was_abandoned = 0, are_open = 1;
    __sley_atomic_begin();
    for (unsigned int i = 0; i < count; i++) {
        struct object *o = &sley_objects[number_of(handles[i])];
        are_open &= o->is_open;
        if (is_signalled(o)) {
            ready++;
            if (first == count)
                first = i;
        }
    }
    _Bool is_ready = all ? ready == count : ready > 0;
    _Bool is_late = is_too_late(is_ready, milliseconds);
    if (are_open && !is_late) {
        __sley_await(is_ready);
        for (unsigned int i = 0; i < count; i++)
            if (all || i == first)
                was_abandoned |= take(&sley_objects[number_of(handles[i])]);
    }
    __sley_atomic_end();
    check_is_open(are_open);
    sley_windows_succeeds();
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
    if (__sley_create_fails("CreateMutex fails: returns NULL"))
        return no_object();
    return new_object(MUTEX, is_owned ? (int)__sley_self() : 0, 0, 0, name);
}

void *CreateMutexW(void *attributes, int is_owned, const void *name)
{
    return CreateMutexA(attributes, is_owned, name);
}

int ReleaseMutex(void *handle)
{
    struct object *o = object_of(handle);
    if (o->kind != MUTEX)
        return sley_windows_fails(INVALID_HANDLE);
    if (o->owner != (int)__sley_self())
        return sley_windows_fails(NOT_OWNER);
    if (o->value > 0)
        o->value--;
    else
        o->owner = 0;
    return sley_windows_succeeds();
}

void *CreateEventA(void *attributes, int is_manual, int is_set, const void *name)
{
    if (__sley_create_fails("CreateEvent fails: returns NULL"))
        return no_object();
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
        return sley_windows_fails(INVALID_HANDLE);
    o->value = 1;
    return sley_windows_succeeds();
}

int ResetEvent(void *handle)
{
    struct object *o = object_of(handle);
    if (o->kind != EVENT)
        return sley_windows_fails(INVALID_HANDLE);
    o->value = 0;
    return sley_windows_succeeds();
}

void *CreateSemaphoreA(void *attributes, int value, int most, const void *name)
{
    if (value < 0 || most <= 0 || value > most)
        return no_handle(INVALID_PARAMETER);
    if (__sley_create_fails("CreateSemaphore fails: returns NULL"))
        return no_object();
    return new_object(SEMAPHORE, 0, value, most, name);
}

void *CreateSemaphoreW(void *attributes, int value, int most, const void *name)
{
    return CreateSemaphoreA(attributes, value, most, name);
}

// To learn from the previous value that others have released the semaphore is not to wait for it: in memory that
// orders nothing.
int ReleaseSemaphore(void *handle, int count, int *previous)
{
    struct object *o = object_of(handle);
    if (o->kind != SEMAPHORE)
        return sley_windows_fails(INVALID_HANDLE);
    if (count <= 0)
        return sley_windows_fails(INVALID_PARAMETER);
    __sley_atomic_begin();
    int value = o->value;
    _Bool fits = count <= o->most - value;
    if (fits)
        o->value = value + count;
    __sley_atomic_end();
    if (!fits)
        return sley_windows_fails(TOO_MANY_POSTS);
    if (previous)
        *previous = __sley_fails_anyway() ? __sley_unknown_int("ReleaseSemaphore") : value;
    return sley_windows_succeeds();
}
