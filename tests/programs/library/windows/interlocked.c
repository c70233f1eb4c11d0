// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The results of interlocked operations: new values of some, old values of others.
#include <assert.h>
#include <windows.h>

int main(void)
{
    volatile LONG number = 5;
    volatile LONG64 large = 1;
    int object;
    PVOID volatile pointer = NULL;
    assert(InterlockedIncrement(&number) == 6 && InterlockedDecrement(&number) == 5);
    assert(InterlockedExchange(&number, 7) == 5 && InterlockedExchangeAdd(&number, 2) == 7 && number == 9);
    assert(InterlockedCompareExchange(&number, 1, 8) == 9 && number == 9);
    assert(InterlockedCompareExchange(&number, 12, 9) == 9 && number == 12);
    assert(InterlockedAnd(&number, 4) == 12 && InterlockedOr(&number, 1) == 4 && InterlockedXor(&number, 4) == 5);
    assert(number == 1);
    assert(InterlockedIncrement64(&large) == 2 && InterlockedExchangeAdd64(&large, 1LL << 40) == 2);
    assert(InterlockedCompareExchange64(&large, 0, 1) == (1LL << 40) + 2);
    assert(InterlockedExchangePointer(&pointer, &object) == NULL);
    assert(InterlockedCompareExchangePointer(&pointer, NULL, &object) == &object && pointer == NULL);
    MemoryBarrier();
    return 0;
}
