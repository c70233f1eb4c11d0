// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A mutex of Windows can be taken again by its owner, and tells who releases it wrongly.
#include <assert.h>
#include <windows.h>

HANDLE mutex;
int count;

DWORD WINAPI worker(LPVOID unused)
{
    assert(ReleaseMutex(mutex) == FALSE);
    WaitForSingleObject(mutex, INFINITE);
    WaitForSingleObject(mutex, INFINITE);
    count++;
    assert(ReleaseMutex(mutex) && ReleaseMutex(mutex));
    return 0;
}

int main(void)
{
    mutex = CreateMutex(NULL, FALSE, NULL);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    worker(NULL);
    WaitForSingleObject(thread, INFINITE);
    assert(count == 2);
    CloseHandle(mutex);
    CloseHandle(thread);
    return 0;
}
