// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Further interlocked operations: each is one step.
#include <windows.h>
#include <assert.h>

LONG word;
short small;
LONG64 large;

DWORD WINAPI worker(LPVOID unused)
{
    InterlockedAdd(&word, 4);
    InterlockedIncrement16(&small);
    InterlockedOr64(&large, 1);
    return 0;
}

int main(void)
{
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    assert(InterlockedBitTestAndSet(&word, 10) == 0);
    assert(InterlockedBitTestAndReset(&word, 10) == 1);
    InterlockedDecrement16(&small);
    InterlockedAdd64(&large, 2);
    WaitForSingleObject(thread, INFINITE);
    assert(word == 4 && small == 0 && large == 3);
    return 0;
}
