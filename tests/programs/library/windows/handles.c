// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A handle is neither null nor the invalid one, and those of two objects differ.
#include <assert.h>
#include <windows.h>

DWORD WINAPI worker(LPVOID event)
{
    assert(event != NULL && event != INVALID_HANDLE_VALUE);
    SetEvent(event);
    return 0;
}

int main(void)
{
    HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);
    HANDLE thread = CreateThread(NULL, 0, worker, event, 0, NULL);
    assert(thread && thread != INVALID_HANDLE_VALUE && thread != event);
    WaitForSingleObject(event, INFINITE);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    CloseHandle(event);
    return 0;
}
