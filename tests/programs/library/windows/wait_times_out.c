// sley: reach=false race=false deadlock=true memory=true overflow=true misuse=true
// Waiting for a second does not mean that the thread has ended.
#include <assert.h>
#include <windows.h>

int done;

DWORD WINAPI worker(LPVOID unused)
{
    done = 1;
    return 0;
}

int main(void)
{
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    WaitForSingleObject(thread, 1000);
    assert(done == 1);
    CloseHandle(thread);
    return 0;
}
