// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Functions with a second name, clocks, and what changes nothing.
#include <windows.h>
#include <assert.h>

LONG64 wide;
CRITICAL_SECTION first, second;
SRWLOCK lock;
INIT_ONCE once;

DWORD WINAPI worker(LPVOID event)
{
    EnterCriticalSection(&first);
    LeaveCriticalSection(&first);
    SetEvent(event);
    ExitThread(3);
}

int main(void)
{
    LARGE_INTEGER count;
    DWORD code;
    HANDLE event = CreateEventW(NULL, TRUE, FALSE, NULL);
    HANDLE mutex = CreateMutexW(NULL, FALSE, NULL);
    HANDLE semaphore = CreateSemaphoreW(NULL, 1, 1, NULL);
    InitializeCriticalSectionAndSpinCount(&first, 100);
    InitializeCriticalSectionEx(&second, 100, 0);
    InitializeSRWLock(&lock);
    InitOnceInitialize(&once);
    HANDLE thread = CreateThread(NULL, 0, worker, event, 0, NULL);
    HANDLE both[2] = {event, thread};
    Sleep(1);
    SleepEx(1, FALSE);
    SwitchToThread();
    GetLastError();
    GetTickCount();
    GetTickCount64();
    QueryPerformanceCounter(&count);
    assert(QueryPerformanceFrequency(&count));
    assert(WaitForMultipleObjectsEx(2, both, TRUE, INFINITE, FALSE) == WAIT_OBJECT_0);
    assert(GetExitCodeThread(thread, &code) && code == 3);
    assert(WaitForSingleObjectEx(mutex, 0, FALSE) == WAIT_OBJECT_0 && ReleaseMutex(mutex));
    assert(WaitForSingleObject(semaphore, 0) == WAIT_OBJECT_0);
    assert(WaitForSingleObject(semaphore, 0) == WAIT_TIMEOUT);
    assert(TryAcquireSRWLockShared(&lock) && !TryAcquireSRWLockExclusive(&lock));
    ReleaseSRWLockShared(&lock);
    InterlockedExchange64(&wide, 6);
    InterlockedDecrement64(&wide);
    InterlockedAnd64(&wide, 4);
    InterlockedXor64(&wide, 1);
    assert(wide == 5);
    DeleteCriticalSection(&second);
    ExitProcess(0);
}
