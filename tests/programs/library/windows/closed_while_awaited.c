// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A handle is closed while a thread may still wait for its object.
#include <windows.h>

HANDLE event;

DWORD WINAPI worker(LPVOID unused)
{
    WaitForSingleObject(event, 100);
    return 0;
}

int main(void)
{
    event = CreateEvent(NULL, TRUE, FALSE, NULL);
    CreateThread(NULL, 0, worker, NULL, 0, NULL);
    CloseHandle(event);
    return 0;
}
