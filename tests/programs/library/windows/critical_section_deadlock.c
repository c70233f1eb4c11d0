// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// Two critical sections are entered in opposite orders.
#include <windows.h>

CRITICAL_SECTION left, right;

DWORD WINAPI worker(LPVOID unused)
{
    EnterCriticalSection(&right);
    EnterCriticalSection(&left);
    LeaveCriticalSection(&left);
    LeaveCriticalSection(&right);
    return 0;
}

int main(void)
{
    InitializeCriticalSection(&left);
    InitializeCriticalSection(&right);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    EnterCriticalSection(&left);
    EnterCriticalSection(&right);
    LeaveCriticalSection(&right);
    LeaveCriticalSection(&left);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
