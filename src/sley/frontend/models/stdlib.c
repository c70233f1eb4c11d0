// Numbers from the standard library; memory, exit and abort are instructions of their own.
#include "sley.h"

int abs(int value)
{
    return value < 0 ? -value : value;
}

long labs(long value)
{
    return value < 0 ? -value : value;
}

long long llabs(long long value)
{
    return value < 0 ? -value : value;
}

long long imaxabs(long long value)
{
    return llabs(value);
}

// --- random numbers ---------------------------------------------------------------------------------
// Any number, but a sequence that is started again repeats (C11 7.22.2.2p2). What was drawn is not kept: from then
// on a bug that rests on such a number is a possible one only. A seed of 1 repeats what is drawn without any.

//
// All calls share one state, accessed plainly: concurrent ones race (C11 7.22.2.1p3), but those of `random` and
// `srandom`, which POSIX does not except from being thread-safe.

static _Atomic _Bool sley_is_seeded;
static _Atomic _Bool sley_may_repeat;
static int sley_random_state;

static int any_random(void)
{
    int value;
    if (sley_may_repeat)
        value = __sley_unknown_int("rand");
    else
        value = __sley_nondet_int();
    __sley_assume(value >= 0);
    return value;
}

static void seed_with(unsigned int seed)
{
    if (sley_is_seeded || seed == 1)
        sley_may_repeat = 1;
    sley_is_seeded = 1;
}

int rand(void)
{
    sley_random_state = 0;
    return any_random();
}

void srand(unsigned int seed)
{
    sley_random_state = 0;
    seed_with(seed);
}

// What comes next is a function of the seed, which is not computed.
int rand_r(unsigned int *seed)
{
    unsigned int state = *seed;
    *seed = __sley_unknown_uint("rand_r");
    int value = __sley_unknown_int("rand_r");
    __sley_assume(value >= 0);
    return value;
}

long random(void)
{
    return any_random();
}

void srandom(unsigned int seed)
{
    seed_with(seed);
}

long lrand48(void)
{
    return rand();
}

void srand48(long seed)
{
    srand((unsigned int)seed);
}

long mrand48(void)
{
    sley_random_state = 0;
    return __sley_nondet_bool() ? any_random() : -1L - any_random();
}

static double fraction(void)
{
    double value = __sley_unknown_double("drand48");
    __sley_assume(0 <= value && value < 1);
    return value;
}

double drand48(void)
{
    sley_random_state = 0;
    return fraction();
}

// What comes next is a function of the state of 48 bits, which is not computed.
static void step(unsigned short *state)
{
    for (int i = 0; i < 3; i++) {
        unsigned short former = state[i];
        state[i] = (unsigned short)__sley_unknown_uint("rand48");
    }
}

double erand48(unsigned short *state)
{
    step(state);
    return fraction();
}

long nrand48(unsigned short *state)
{
    step(state);
    int value = __sley_unknown_int("nrand48");
    __sley_assume(value >= 0);
    return value;
}

long jrand48(unsigned short *state)
{
    step(state);
    return __sley_unknown_int("jrand48");
}

// --- division ---------------------------------------------------------------------------------------

typedef struct {
    int quotient;
    int remainder;
} div_t;

typedef struct {
    long quotient;
    long remainder;
} ldiv_t;

typedef struct {
    long long quotient;
    long long remainder;
} lldiv_t;

div_t div(int dividend, int divisor)
{
    div_t result = {dividend / divisor, dividend % divisor};
    return result;
}

ldiv_t ldiv(long dividend, long divisor)
{
    ldiv_t result = {dividend / divisor, dividend % divisor};
    return result;
}

lldiv_t lldiv(long long dividend, long long divisor)
{
    lldiv_t result = {dividend / divisor, dividend % divisor};
    return result;
}

// --- other programs ----------------------------------------------------------------------------------

sley_size strlen(const char *text);

// A text is read; of one from outside, it does not matter how long it is.
static void read_text(const char *text)
{
    if (!__sley_is_text(text))
        strlen(text);
}

// Another program runs, and changes nothing of this one. Two calls may disturb each other (POSIX XSH 2.9.1).
int system(const char *command)
{
    static int sley_running;
    sley_running = 0;
    if (command)
        read_text(command);
    sley_touches_errno();
    return __sley_nondet_int();
}
