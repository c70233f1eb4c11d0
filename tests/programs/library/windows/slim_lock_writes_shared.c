// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// Two threads write what they may only read.
#include <windows.h>

SRWLOCK lock = SRWLOCK_INIT;
unsigned int count;

DWORD WINAPI worker(LPVOID unused)
{
    AcquireSRWLockShared(&lock);
    count++;
    ReleaseSRWLockShared(&lock);
    return 0;
}

int main(void)
{
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    worker(NULL);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
