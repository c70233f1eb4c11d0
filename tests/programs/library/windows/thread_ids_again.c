// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// The id of a thread that has ended may be that of the next one.
#include <assert.h>
#include <windows.h>

DWORD WINAPI worker(LPVOID unused)
{
    return 0;
}

int main(void)
{
    DWORD first, second;
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, &first);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    CreateThread(NULL, 0, worker, NULL, 0, &second);
    assert(first != second);
    return 0;
}
