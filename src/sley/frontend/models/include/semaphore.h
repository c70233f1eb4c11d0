#ifndef SLEY_SEMAPHORE_H
#define SLEY_SEMAPHORE_H

#include "sley_features.h"
#include <sys/types.h>
#include <time.h>

typedef union {
#ifdef __LP64__
    char __size[32];
#else
    char __size[16];
#endif
    long __align;
} sem_t;

#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 2147483647

int sem_init(sem_t *semaphore, int shared, unsigned int value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *deadline);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *semaphore);
int sem_unlink(const char *name);

#endif
