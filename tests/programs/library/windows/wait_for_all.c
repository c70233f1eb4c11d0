// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Two threads count with an interlocked operation, and main waits for both.
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
    HANDLE threads[2];
    for (int i = 0; i < 2; i++)
        threads[i] = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    assert(WaitForMultipleObjects(2, threads, TRUE, INFINITE) == WAIT_OBJECT_0);
    assert(count == 2);
    for (int i = 0; i < 2; i++)
        CloseHandle(threads[i]);
    return 0;
}
