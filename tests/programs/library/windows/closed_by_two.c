// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// Two threads look whether a handle is there, and both close it.
#include <windows.h>

HANDLE event;
LONG is_closed;

DWORD WINAPI worker(LPVOID unused)
{
    if (!InterlockedAdd(&is_closed, 0))
        CloseHandle(event);
    InterlockedExchange(&is_closed, 1);
    return 0;
}

int main(void)
{
    event = CreateEvent(NULL, TRUE, FALSE, NULL);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    worker(NULL);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
