// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What has failed says why; each thread has an error of its own, which stays until the next call.
#include <assert.h>
#include <windows.h>

HANDLE mutex;

DWORD WINAPI worker(LPVOID unused)
{
    SetLastError(7);
    assert(!ReleaseMutex(mutex) && GetLastError() == ERROR_NOT_OWNER);
    return 0;
}

int main(void)
{
    mutex = CreateMutex(NULL, TRUE, NULL);
    SetLastError(5);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    WaitForSingleObject(thread, INFINITE);
    DWORD error = GetLastError();
    assert(error == GetLastError());
    return 0;
}
