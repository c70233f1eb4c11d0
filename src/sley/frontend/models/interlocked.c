// Interlocked operations of Windows: each is one step, which orders memory both ways.
#include "sley.h"

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
