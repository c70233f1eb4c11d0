// Attributes of POSIX threads. All are kept, but only being detached matters.
#include "sley.h"

typedef struct sley_pthread_attr_t attr;

// --- attributes of all kinds of objects: some bits each ---------------------------------------------

void sley_check_attributes(int bits)
{
    bits &= SLEY_ATTRIBUTES_MASK;
    __sley_check(bits != SLEY_NO_ATTRIBUTES, "misuse", "use-destroyed", "destroyed attributes are used");
    __sley_check(bits == SLEY_ATTRIBUTES || bits == SLEY_NO_ATTRIBUTES, "misuse", "use-uninitialised",
                 "attributes are used that were not initialised");
}

int sley_initialise_attributes(_Atomic int *bits)
{
    __sley_rely_on(SLEY_ROOM);
    *bits = SLEY_ATTRIBUTES;
    return 0;
}

int sley_destroy_attributes(_Atomic int *bits)
{
    sley_check_attributes(*bits);
    *bits = SLEY_NO_ATTRIBUTES;
    return 0;
}

int sley_attribute(const _Atomic int *bits, int shift, int most)
{
    int all = *bits;
    sley_check_attributes(all);
    return all >> shift & most;
}

int sley_set_attribute(_Atomic int *bits, int shift, int most, int value)
{
    int all = *bits;
    sley_check_attributes(all);
    if (value < 0 || value > most)
        return SLEY_EINVAL;
    *bits = (all & ~(most << shift)) | value << shift;
    return 0;
}

// --- attributes of threads --------------------------------------------------------------------------

static void check(const attr *attributes)
{
    sley_check_attributes(attributes->bits);
}

int pthread_attr_init(attr *attributes)
{
    sley_initialise_attributes(&attributes->bits);
    attributes->detached = 0;
    attributes->policy = 0;
    attributes->priority = 0;
    attributes->inherit = 0;
    attributes->scope = 0;
    attributes->guard = 0;
    attributes->size = 0;
    return 0;
}

int pthread_attr_destroy(attr *attributes)
{
    return sley_destroy_attributes(&attributes->bits);
}

int pthread_attr_setdetachstate(attr *attributes, int value)
{
    check(attributes);
    if (value != 0 && value != 1)
        return SLEY_EINVAL;
    attributes->detached = value;
    return 0;
}

int pthread_attr_getdetachstate(const attr *attributes, int *value)
{
    check(attributes);
    *value = attributes->detached;
    return 0;
}

// --- scheduling -------------------------------------------------------------------------------------

enum { OTHER, FIFO, ROUND_ROBIN, LEAST_PRIORITY = 1, MOST_PRIORITY = 99 };

int pthread_attr_setschedpolicy(attr *attributes, int value)
{
    check(attributes);
    if (value < OTHER || value > ROUND_ROBIN)
        return SLEY_EINVAL;
    attributes->policy = value;
    return 0;
}

int pthread_attr_getschedpolicy(const attr *attributes, int *value)
{
    check(attributes);
    *value = attributes->policy;
    return 0;
}

// What Linux has; POSIX leaves the numbers open, and whether they are looked at here.
static _Bool is_priority(int policy, int priority)
{
    return policy == OTHER ? priority == 0 : LEAST_PRIORITY <= priority && priority <= MOST_PRIORITY;
}

int pthread_attr_setschedparam(attr *attributes, const int *value)
{
    check(attributes);
    int priority = *value;
    if (!is_priority(attributes->policy, priority))
        return SLEY_EINVAL;
    attributes->priority = priority;
    return 0;
}

int pthread_attr_getschedparam(const attr *attributes, int *value)
{
    check(attributes);
    *value = attributes->priority;
    return 0;
}

int pthread_attr_setinheritsched(attr *attributes, int value)
{
    check(attributes);
    if (value != 0 && value != 1)
        return SLEY_EINVAL;
    attributes->inherit = value;
    return 0;
}

int pthread_attr_getinheritsched(const attr *attributes, int *value)
{
    check(attributes);
    *value = attributes->inherit;
    return 0;
}

// Linux has one scope of two.
int pthread_attr_setscope(attr *attributes, int value)
{
    check(attributes);
    if (value == 1)
        return SLEY_ENOTSUP;
    if (value != 0)
        return SLEY_EINVAL;
    attributes->scope = value;
    return 0;
}

int pthread_attr_getscope(const attr *attributes, int *value)
{
    check(attributes);
    *value = attributes->scope;
    return 0;
}

int pthread_attr_setaffinity_np(attr *attributes, sley_size size, const void *processors)
{
    check(attributes);
    if (size)
        *(const volatile char *)processors;
    return 0;
}

// --- stacks -----------------------------------------------------------------------------------------
// How large a stack is, and its guard, unless set, depends on the system and its limits; it does not change.

enum { LEAST_STACK = 16384, LARGEST_STACK = 8388608, PAGE = 4096 };

static _Atomic sley_size sley_usual_stack;
static _Atomic sley_size sley_usual_guard;    // plus 1

static sley_size usual(_Atomic sley_size *kept, sley_size least)
{
    __sley_atomic_begin();
    sley_size size = *kept;
    if (size == 0) {
        size = __sley_nondet_ulong();
        __sley_assume(size >= least);
        *kept = size;
    }
    __sley_atomic_end();
    return size;
}

int pthread_attr_setguardsize(attr *attributes, sley_size value)
{
    check(attributes);
    attributes->guard = value + 1;
    return 0;
}

int pthread_attr_getguardsize(const attr *attributes, sley_size *value)
{
    check(attributes);
    sley_size guard = attributes->guard;
    if (guard == 0)
        guard = usual(&sley_usual_guard, 1);
    *value = guard - 1;
    return 0;
}

// A system may have a limit (POSIX), and may want whole pages: no limit is below what Linux usually takes.
int pthread_attr_setstacksize(attr *attributes, sley_size value)
{
    check(attributes);
    if (value < LEAST_STACK)
        return SLEY_EINVAL;
    if ((value > LARGEST_STACK || value % PAGE != 0) && __sley_nondet_bool())
        return SLEY_EINVAL;
    attributes->size = value;
    return 0;
}

int pthread_attr_getstacksize(const attr *attributes, sley_size *value)
{
    check(attributes);
    sley_size size = attributes->size;
    if (size == 0)
        size = usual(&sley_usual_stack, LEAST_STACK);
    *value = size;
    return 0;
}

// The stack is memory of the user's that must not be used otherwise; where locals are cannot be observed.
int pthread_attr_setstack(attr *attributes, void *stack, sley_size size)
{
    return pthread_attr_setstacksize(attributes, size);
}

int pthread_attr_setstackaddr(attr *attributes, void *stack)
{
    check(attributes);
    return 0;
}
