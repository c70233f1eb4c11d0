// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A critical section can be entered again by who is in it.
#include <assert.h>
#include <windows.h>

CRITICAL_SECTION section;
int count, tried;

DWORD WINAPI worker(LPVOID unused)
{
    EnterCriticalSection(&section);
    EnterCriticalSection(&section);
    count++;
    LeaveCriticalSection(&section);
    LeaveCriticalSection(&section);
    if (TryEnterCriticalSection(&section)) {
        tried++;
        LeaveCriticalSection(&section);
    }
    return 0;
}

int main(void)
{
    InitializeCriticalSection(&section);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    worker(NULL);
    WaitForSingleObject(thread, INFINITE);
    assert(count == 2 && tried <= 2);
    DeleteCriticalSection(&section);
    CloseHandle(thread);
    return 0;
}
