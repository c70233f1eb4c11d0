// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true args="--create-may-fail"
// Whoever gets no object, thread or index says so.
#include <assert.h>
#include <windows.h>

DWORD WINAPI worker(LPVOID event)
{
    SetEvent(event);
    return 0;
}

int main(void)
{
    HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);
    if (event == NULL) {
        assert(GetLastError() != ERROR_SUCCESS);
        return 1;
    }
    if (TlsAlloc() == TLS_OUT_OF_INDEXES)
        return 1;
    HANDLE thread = CreateThread(NULL, 0, worker, event, 0, NULL);
    if (thread == NULL)
        return 1;
    WaitForSingleObject(thread, INFINITE);
    return WaitForSingleObject(event, 0) == WAIT_OBJECT_0 ? 0 : 1;
}
