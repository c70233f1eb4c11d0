// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Threads of Windows: one is awaited twice, one starts suspended and exits with a number.
#include <assert.h>
#include <windows.h>

int seen;

DWORD WINAPI worker(LPVOID argument)
{
    seen += *(int *)argument;
    ExitThread(9);
}

int main(void)
{
    int value = 3;
    DWORD id, code;
    HANDLE thread = CreateThread(NULL, 0, worker, &value, CREATE_SUSPENDED, &id);
    assert(thread != NULL && id != GetCurrentThreadId());
    assert(seen == 0 && WaitForSingleObject(thread, 0) == WAIT_TIMEOUT);
    GetExitCodeThread(thread, &code);
    assert(code == STILL_ACTIVE);
    ResumeThread(thread);
    assert(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
    assert(WaitForSingleObject(thread, 0) == WAIT_OBJECT_0);
    assert(seen == 3);
    GetExitCodeThread(thread, &code);
    assert(code == 9);
    CloseHandle(thread);
    return 0;
}
