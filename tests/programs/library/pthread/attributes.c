// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What was set in attributes can be got from them.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

void *worker(void *unused)
{
    return 0;
}

void of_threads(void)
{
    pthread_attr_t attributes;
    struct sched_param parameters = {3};
    int number;
    size_t size;
    pthread_t thread;
    pthread_attr_init(&attributes);
    assert(pthread_attr_getdetachstate(&attributes, &number) == 0 && number == PTHREAD_CREATE_JOINABLE);
    pthread_attr_setstacksize(&attributes, 65536);
    pthread_attr_getstacksize(&attributes, &size);
    assert(size == 65536);
    assert(pthread_attr_setstacksize(&attributes, 1) == EINVAL);
    pthread_attr_setguardsize(&attributes, 8192);
    pthread_attr_getguardsize(&attributes, &size);
    assert(size == 8192);
    pthread_attr_setschedpolicy(&attributes, SCHED_RR);
    pthread_attr_getschedpolicy(&attributes, &number);
    assert(number == SCHED_RR);
    pthread_attr_setschedparam(&attributes, &parameters);
    parameters.sched_priority = 0;
    pthread_attr_getschedparam(&attributes, &parameters);
    assert(parameters.sched_priority == 3);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_getinheritsched(&attributes, &number);
    assert(number == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_create(&thread, &attributes, worker, 0) == 0);
    assert(pthread_join(thread, 0) == 0);
    pthread_attr_destroy(&attributes);
}

void of_mutexes(void)
{
    pthread_mutexattr_t attributes;
    int number;
    pthread_mutexattr_init(&attributes);
    assert(pthread_mutexattr_settype(&attributes, 7) == EINVAL);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_gettype(&attributes, &number);
    assert(number == PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_getpshared(&attributes, &number);
    assert(number == PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_getprotocol(&attributes, &number);
    assert(number == PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_destroy(&attributes);
}

void of_others(void)
{
    pthread_condattr_t condition;
    pthread_rwlockattr_t lock;
    pthread_barrierattr_t barrier;
    clockid_t clock;
    int number;
    pthread_condattr_init(&condition);
    pthread_condattr_setclock(&condition, CLOCK_MONOTONIC);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    pthread_condattr_getclock(&condition, &clock);
    pthread_condattr_getpshared(&condition, &number);
    assert(clock == CLOCK_MONOTONIC && number == PTHREAD_PROCESS_SHARED);
    pthread_rwlockattr_init(&lock);
    pthread_rwlockattr_setpshared(&lock, PTHREAD_PROCESS_SHARED);
    pthread_rwlockattr_getpshared(&lock, &number);
    assert(number == PTHREAD_PROCESS_SHARED);
    pthread_rwlockattr_getkind_np(&lock, &number);
    assert(number == PTHREAD_RWLOCK_PREFER_READER_NP);
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_getpshared(&barrier, &number);
    assert(number == PTHREAD_PROCESS_SHARED);
    pthread_condattr_destroy(&condition);
    pthread_rwlockattr_destroy(&lock);
    pthread_barrierattr_destroy(&barrier);
}

int main(void)
{
    of_threads();
    of_mutexes();
    of_others();
    return 0;
}
