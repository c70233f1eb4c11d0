// An idle worker and who gives it work: the example of S. Burckhardt, M. Musuvathi, Effective program
// verification for relaxed memory models (CAV 2008), as described there, with the monitor as a number.
// -DFIX: a fence between the store and the load of each thread.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

#ifdef FIX
#define FENCE() __sync_synchronize()
#else
#define FENCE() ((void)0)
#endif

enum { FREE, HELD, ASLEEP, HELD_WHILE_ASLEEP, PULSED };

int is_idling, has_work;
int monitor = FREE, is_done; // accessed in atomic sections only: these do not wait

static void enter(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(monitor == FREE || monitor == ASLEEP);
    monitor++;
    __VERIFIER_atomic_end();
}

static void move(int from, int to)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(monitor == from);
    monitor = to;
    __VERIFIER_atomic_end();
}

static void leave(void)
{
    __VERIFIER_atomic_begin();
    monitor = FREE;
    __VERIFIER_atomic_end();
}

void *consumer(void *unused)
{
    enter();
    is_idling = 1;
    FENCE();
    if (!has_work) {
        move(HELD, ASLEEP);
        move(PULSED, PULSED);
        move(FREE, HELD);
    }
    is_idling = 0;
    leave();
    return 0;
}

void *producer(void *unused)
{
    has_work = 1;
    FENCE();
    if (is_idling) {
        enter();
        move(HELD_WHILE_ASLEEP, PULSED);
        leave();
    }
    __VERIFIER_atomic_begin();
    is_done = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, producer, 0);
    __VERIFIER_atomic_begin();
    int sleeps_for_ever = is_done && monitor == ASLEEP;
    __VERIFIER_atomic_end();
    assert(!sleeps_for_ever);
    return 0;
}
