// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A thread ends with a mutex of its own: the next to wait for it gets it and is told.
#include <assert.h>
#include <windows.h>

HANDLE mutex;

DWORD WINAPI worker(LPVOID unused)
{
    WaitForSingleObject(mutex, INFINITE);
    return 0;
}

int main(void)
{
    mutex = CreateMutex(NULL, FALSE, NULL);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    WaitForSingleObject(thread, INFINITE);
    assert(WaitForSingleObject(mutex, INFINITE) == WAIT_ABANDONED);
    assert(WaitForSingleObject(mutex, INFINITE) == WAIT_OBJECT_0);
    return 0;
}
