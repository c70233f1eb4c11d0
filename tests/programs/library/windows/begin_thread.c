// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Threads of the C library of Windows; both wait at a barrier, one of them is told that it was the last.
#include <windows.h>
#include <process.h>
#include <assert.h>

SYNCHRONIZATION_BARRIER barrier;
LONG count, last;

unsigned worker(void *argument)
{
    InterlockedIncrement(&count);
    if (EnterSynchronizationBarrier(&barrier, 0))
        InterlockedAdd(&last, 1);
    assert(count == 2);
    if (argument)
        _endthreadex(7);
    return 8;
}

int main(void)
{
    DWORD codes[2];
    HANDLE threads[2];
    InitializeSynchronizationBarrier(&barrier, 2, -1);
    threads[0] = (HANDLE)_beginthreadex(NULL, 0, worker, NULL, 0, NULL);
    threads[1] = (HANDLE)_beginthreadex(NULL, 0, worker, &barrier, 0, NULL);
    WaitForMultipleObjects(2, threads, TRUE, INFINITE);
    GetExitCodeThread(threads[0], &codes[0]);
    GetExitCodeThread(threads[1], &codes[1]);
    assert(codes[0] == 8 && codes[1] == 7 && last == 1);
    DeleteSynchronizationBarrier(&barrier);
    return 0;
}
