// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Names, priorities, processors: they change nothing that a program could rely on.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

int value;

void nothing(void)
{
}

void *worker(void *unused)
{
    pthread_setname_np(pthread_self(), "worker");
    sched_yield();
    value = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    struct sched_param parameters = {sched_get_priority_min(SCHED_FIFO)};
    struct timespec deadline = {1, 0};
    int number;
    clockid_t clock;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(1, &processors);
    assert(CPU_ISSET(1, &processors) && !CPU_ISSET(0, &processors));
    sched_setaffinity(0, sizeof processors, &processors);
    assert(sched_getcpu() >= 0);
    pthread_setconcurrency(2);
    pthread_getconcurrency();
    pthread_atfork(nothing, nothing, nothing);
    pthread_attr_init(&attributes);
    assert(pthread_attr_getscope(&attributes, &number) == 0 && number == PTHREAD_SCOPE_SYSTEM);
    pthread_attr_setaffinity_np(&attributes, sizeof processors, &processors);
    pthread_create(&thread, &attributes, worker, 0);
    pthread_setaffinity_np(thread, sizeof processors, &processors);
    pthread_setschedparam(thread, SCHED_FIFO, &parameters);
    pthread_getschedparam(thread, &number, &parameters);
    pthread_setschedprio(thread, 1);
    pthread_getcpuclockid(thread, &clock);
    assert(pthread_kill(thread, 0) == 0);
    sigset_t set;
    sigfillset(&set);
    sigdelset(&set, SIGINT);
    assert(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
    if (pthread_clockjoin_np(thread, 0, CLOCK_MONOTONIC, &deadline))
        pthread_join(thread, 0);
    assert(value == 1);
    return 0;
}
