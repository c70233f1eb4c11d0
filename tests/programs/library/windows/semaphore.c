// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A semaphore of Windows with room for one item at a time.
#include <assert.h>
#include <windows.h>

HANDLE semaphore;
int count;

DWORD WINAPI worker(LPVOID unused)
{
    WaitForSingleObject(semaphore, INFINITE);
    count++;
    assert(ReleaseSemaphore(semaphore, 1, NULL));
    return 0;
}

int main(void)
{
    LONG previous;
    semaphore = CreateSemaphore(NULL, 0, 1, NULL);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    assert(ReleaseSemaphore(semaphore, 2, NULL) == FALSE);
    assert(ReleaseSemaphore(semaphore, 1, &previous) && previous == 0);
    worker(NULL);
    WaitForSingleObject(thread, INFINITE);
    assert(count == 2);
    return 0;
}
