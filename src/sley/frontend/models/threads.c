// Threads of C11, over those of POSIX.
#include "sley.h"

typedef struct sley_mtx_t mutex;
typedef struct sley_cnd_t condition;
typedef int (*start_function)(void *);

enum { SUCCESS, BUSY, ERROR, NO_MEMORY, TIMED_OUT };
enum { RECURSIVE = 1, TIMED = 2, LARGEST_KIND = 3 };

void sley_initialise_mutex(struct sley_pthread_mutex_t *m, int kind);
int pthread_mutex_lock(struct sley_pthread_mutex_t *m);
int sley_lock_until(struct sley_pthread_mutex_t *m, int kind, const struct sley_deadline *deadline);
int pthread_mutex_trylock(struct sley_pthread_mutex_t *m);
int pthread_mutex_unlock(struct sley_pthread_mutex_t *m);
int pthread_mutex_destroy(struct sley_pthread_mutex_t *m);
int pthread_equal(unsigned long one, unsigned long other);
int pthread_join(unsigned long thread, void **result);
int pthread_cond_init(struct sley_pthread_cond_t *c, const struct sley_pthread_condattr_t *attributes);
int pthread_cond_wait(struct sley_pthread_cond_t *c, struct sley_pthread_mutex_t *m);
int pthread_cond_timedwait(struct sley_pthread_cond_t *c, struct sley_pthread_mutex_t *m,
                           const struct sley_deadline *deadline);
int pthread_cond_signal(struct sley_pthread_cond_t *c);
int pthread_cond_broadcast(struct sley_pthread_cond_t *c);
int pthread_cond_destroy(struct sley_pthread_cond_t *c);
int pthread_once(_Atomic int *once, void (*initialise)(void));
int pthread_key_create(unsigned int *key, void (*destructor)(void *));
int pthread_key_delete(unsigned int key);
int pthread_setspecific(unsigned int key, const void *value);
void *pthread_getspecific(unsigned int key);
void __sley_end_thread(void);
void sley_main_exits(void);

static int result_of(int error)
{
    return error == 0 ? SUCCESS : error == SLEY_EBUSY ? BUSY : error == SLEY_ETIMEDOUT ? TIMED_OUT : ERROR;
}

// Only the holder of a mutex may do this (C11 7.26.3.6p2, 7.26.4.6p2); POSIX has an error for some kinds.
static int of_holder(int error)
{
    __sley_check(error != SLEY_EPERM, "misuse", "unlock-not-held", "a mutex is released that the thread does not hold");
    return result_of(error);
}

// --- threads ----------------------------------------------------------------------------------------

enum { MOST_THREADS = 32 };
static _Atomic start_function sley_starts[MOST_THREADS];    // by handle

// Returns nothing, unlike all functions that `start` can be: a call of `start` is no recursion.
static void run(void *argument)
{
    start_function start = sley_starts[__sley_self()];
    int result = start(argument);
    __sley_end_thread();
    __sley_exit_thread((void *)(long)result);
}

// The new thread may run before its handle is stored, but finds its function.
int thrd_create(unsigned long *thread, start_function start, void *argument)
{
    if (__sley_create_fails("thrd_create fails: returns thrd_nomem or thrd_error"))
        return __sley_nondet_bool() ? NO_MEMORY : ERROR;
    __sley_atomic_begin();
    unsigned long handle = __sley_create((sley_start)run, argument);
    if (handle >= MOST_THREADS)
        __sley_give_up("more than 31 threads of C11");
    sley_starts[handle] = start;
    __sley_atomic_end();
    *thread = __sley_id(handle);
    return SUCCESS;
}

int thrd_join(unsigned long thread, int *result)
{
    void *value;
    int error = pthread_join(thread, &value);
    if (error)
        return result_of(error);
    if (result)
        *result = (int)(long)value;
    return SUCCESS;
}

int thrd_detach(unsigned long thread)
{
    __sley_detach(thread);
    return SUCCESS;
}

void thrd_exit(int result)
{
    __sley_end_thread();
    if (__sley_self() == 1)
        sley_main_exits();
    __sley_exit_thread((void *)(long)result);
}

unsigned long thrd_current(void)
{
    return __sley_id(__sley_self());
}

int thrd_equal(unsigned long one, unsigned long other)
{
    return pthread_equal(one, other);
}

// Only the handler of a signal interrupts it. Which negative number a failure is, C leaves open.
int thrd_sleep(const struct sley_deadline *duration, void *remainder)
{
    if (duration->seconds >= 0 && sley_is_deadline(duration))
        return 0;
    int failure = __sley_nondet_int();
    __sley_assume(failure < 0);
    return failure;
}

void thrd_yield(void)
{
}

// --- mutexes ----------------------------------------------------------------------------------------

int mtx_init(mutex *m, int kind)
{
    __sley_rely_on(SLEY_ROOM);
    if (kind < 0 || kind > LARGEST_KIND)
        return ERROR;
    int recursive = kind & RECURSIVE ? SLEY_MUTEX_RECURSIVE : SLEY_MUTEX_NORMAL;
    sley_initialise_mutex(&m->mutex, recursive | (kind & TIMED ? SLEY_MUTEX_TIMED : 0));
    return SUCCESS;
}

int mtx_lock(mutex *m)
{
    return result_of(pthread_mutex_lock(&m->mutex));
}

int mtx_timedlock(mutex *m, const struct sley_deadline *deadline)
{
    int kind = m->mutex.kind;
    __sley_check((kind & SLEY_MUTEX_TIMED) != 0, "misuse", "not-timed",
                 "a mutex that was not made with mtx_timed is locked with a deadline");
    return result_of(sley_lock_until(&m->mutex, kind, deadline));
}

int mtx_trylock(mutex *m)
{
    return result_of(pthread_mutex_trylock(&m->mutex));
}

int mtx_unlock(mutex *m)
{
    return of_holder(pthread_mutex_unlock(&m->mutex));
}

void mtx_destroy(mutex *m)
{
    pthread_mutex_destroy(&m->mutex);
}

// --- condition variables ----------------------------------------------------------------------------

int cnd_init(condition *c)
{
    return result_of(pthread_cond_init(&c->condition, 0));
}

int cnd_wait(condition *c, mutex *m)
{
    return of_holder(pthread_cond_wait(&c->condition, &m->mutex));
}

int cnd_timedwait(condition *c, mutex *m, const struct sley_deadline *deadline)
{
    return of_holder(pthread_cond_timedwait(&c->condition, &m->mutex, deadline));
}

int cnd_signal(condition *c)
{
    return result_of(pthread_cond_signal(&c->condition));
}

int cnd_broadcast(condition *c)
{
    return result_of(pthread_cond_broadcast(&c->condition));
}

void cnd_destroy(condition *c)
{
    pthread_cond_destroy(&c->condition);
}

// --- once, thread-specific data ---------------------------------------------------------------------

void call_once(_Atomic int *once, void (*initialise)(void))
{
    pthread_once(once, initialise);
}

int tss_create(unsigned int *key, void (*destructor)(void *))
{
    return result_of(pthread_key_create(key, destructor));
}

void tss_delete(unsigned int key)
{
    pthread_key_delete(key);
}

void *tss_get(unsigned int key)
{
    return pthread_getspecific(key);
}

int tss_set(unsigned int key, void *value)
{
    return result_of(pthread_setspecific(key, value));
}
