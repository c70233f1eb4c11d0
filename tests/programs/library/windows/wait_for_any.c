// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Main waits for one of two threads only: the other may not have counted yet.
#include <assert.h>
#include <windows.h>

volatile LONG count;

DWORD WINAPI worker(LPVOID unused)
{
    InterlockedIncrement(&count);
    return 0;
}

int main(void)
{
    HANDLE threads[2];
    for (int i = 0; i < 2; i++)
        threads[i] = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    WaitForMultipleObjects(2, threads, FALSE, INFINITE);
    assert(InterlockedExchangeAdd(&count, 0) == 2);
    return 0;
}
