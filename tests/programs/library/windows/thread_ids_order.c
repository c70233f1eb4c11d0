// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Nobody promises that the thread that is made later has the larger id.
#include <assert.h>
#include <windows.h>

DWORD WINAPI worker(LPVOID unused)
{
    return 0;
}

int main(void)
{
    DWORD id;
    CreateThread(NULL, 0, worker, NULL, 0, &id);
    assert(GetCurrentThreadId() < id);
    return 0;
}
