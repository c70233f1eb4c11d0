// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A condition variable of Windows, waited for in a loop.
#include <assert.h>
#include <windows.h>

CRITICAL_SECTION section;
CONDITION_VARIABLE ready = CONDITION_VARIABLE_INIT;
int data;

DWORD WINAPI worker(LPVOID unused)
{
    EnterCriticalSection(&section);
    data = 1;
    LeaveCriticalSection(&section);
    WakeConditionVariable(&ready);
    return 0;
}

int main(void)
{
    InitializeCriticalSection(&section);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    EnterCriticalSection(&section);
    while (data == 0)
        SleepConditionVariableCS(&ready, &section, INFINITE);
    assert(data == 1);
    LeaveCriticalSection(&section);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
