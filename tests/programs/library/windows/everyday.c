// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A pool of threads as people write it: ids are printed, handles are checked, exit codes are asked for at the end.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
#define N 2
static CRITICAL_SECTION lock;
static long total;
static DWORD WINAPI work(LPVOID arg)
{
    printf("thread %lu starts\n", (unsigned long)GetCurrentThreadId());
    for (int i = 0; i < 2; i++) {
        EnterCriticalSection(&lock);
        total += (long)(size_t)arg;
        LeaveCriticalSection(&lock);
    }
    return 0;
}
int main(void)
{
    HANDLE threads[N];
    DWORD ids[N];
    InitializeCriticalSection(&lock);
    for (int i = 0; i < N; i++) {
        threads[i] = CreateThread(NULL, 0, work, (LPVOID)(size_t)(i + 1), 0, &ids[i]);
        if (threads[i] == NULL || threads[i] == INVALID_HANDLE_VALUE) {
            fprintf(stderr, "error %lu\n", (unsigned long)GetLastError());
            exit(1);
        }
    }
    if (WaitForMultipleObjects(N, threads, TRUE, INFINITE) == WAIT_FAILED)
        return 1;
    for (int i = 0; i < N; i++) {
        DWORD code;
        if (!GetExitCodeThread(threads[i], &code) || code != 0)
            return 2;
        CloseHandle(threads[i]);
    }
    DeleteCriticalSection(&lock);
    assert(total == 6);
    return 0;
}
