// sley: reach=false race=false deadlock=true memory=true overflow=true misuse=true
// One thread counts with an interlocked operation, the other without.
#include <assert.h>
#include <windows.h>

volatile LONG count;

DWORD WINAPI worker(LPVOID unused)
{
    InterlockedIncrement(&count);
    return 0;
}

int main(void)
{
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    count++;
    WaitForSingleObject(thread, INFINITE);
    assert(count == 2);
    return 0;
}
