// POSIX semaphores without names.
#include "sley.h"

typedef struct sley_sem_t semaphore;

int *__errno_location(void);

int sem_init(semaphore *s, int shared, unsigned int value)
{
    if (value > __INT_MAX__) {
        *__errno_location() = SLEY_EINVAL;
        return -1;
    }
    s->value = value;
    return 0;
}

int sem_destroy(semaphore *s)
{
    return 0;
}

int sem_wait(semaphore *s)
{
    __sley_atomic_begin();
    __sley_await(s->value > 0);
    s->value--;
    __sley_atomic_end();
    return 0;
}

int sem_trywait(semaphore *s)
{
    __sley_atomic_begin();
    _Bool is_free = s->value > 0;
    if (is_free)
        s->value--;
    __sley_atomic_end();
    if (is_free)
        return 0;
    *__errno_location() = SLEY_EAGAIN;
    return -1;
}

int sem_timedwait(semaphore *s, const void *deadline)
{
    __sley_atomic_begin();
    _Bool is_free = s->value > 0;
    _Bool is_late = !is_free && __sley_nondet_bool();
    if (!is_late) {
        __sley_await(is_free);
        s->value--;
    }
    __sley_atomic_end();
    if (!is_late)
        return 0;
    *__errno_location() = SLEY_ETIMEDOUT;
    return -1;
}

int sem_post(semaphore *s)
{
    __sley_atomic_begin();
    _Bool is_full = s->value == __INT_MAX__;
    if (!is_full)
        s->value++;
    __sley_atomic_end();
    if (!is_full)
        return 0;
    *__errno_location() = SLEY_EOVERFLOW;
    return -1;
}

int sem_getvalue(semaphore *s, int *value)
{
    *value = s->value;
    return 0;
}
