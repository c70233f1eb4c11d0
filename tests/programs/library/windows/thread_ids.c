// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The id of a thread is not 0, stays the same, and differs from those of other threads that live.
#include <assert.h>
#include <windows.h>

DWORD of_main;

DWORD WINAPI worker(LPVOID unused)
{
    DWORD own = GetCurrentThreadId();
    assert(own != 0 && own != of_main);
    assert(own == GetCurrentThreadId());
    return 0;
}

int main(void)
{
    DWORD id;
    of_main = GetCurrentThreadId();
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, &id);
    assert(id != of_main);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
