// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// An event that resets itself lets only one of two threads go on.
#include <windows.h>

HANDLE event;

DWORD WINAPI worker(LPVOID unused)
{
    WaitForSingleObject(event, INFINITE);
    return 0;
}

int main(void)
{
    event = CreateEvent(NULL, FALSE, FALSE, NULL);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    SetEvent(event);
    worker(NULL);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
