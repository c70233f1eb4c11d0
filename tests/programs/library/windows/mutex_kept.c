// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// Main keeps the mutex that the thread waits for.
#include <windows.h>

HANDLE mutex;

DWORD WINAPI worker(LPVOID unused)
{
    WaitForSingleObject(mutex, INFINITE);
    return 0;
}

int main(void)
{
    mutex = CreateMutex(NULL, TRUE, NULL);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
