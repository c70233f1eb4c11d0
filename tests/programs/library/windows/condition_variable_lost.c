// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// Nobody looks whether the thread has come first, and its signal is lost.
#include <windows.h>

CRITICAL_SECTION section;
CONDITION_VARIABLE ready;

DWORD WINAPI worker(LPVOID unused)
{
    WakeAllConditionVariable(&ready);
    return 0;
}

int main(void)
{
    InitializeCriticalSection(&section);
    InitializeConditionVariable(&ready);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    EnterCriticalSection(&section);
    SleepConditionVariableCS(&ready, &section, INFINITE);
    LeaveCriticalSection(&section);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
