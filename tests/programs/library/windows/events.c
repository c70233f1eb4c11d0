// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What is written before an event is set is seen after the wait; an event of the one kind stays set.
#include <assert.h>
#include <windows.h>

HANDLE ready, taken;
int data;

DWORD WINAPI worker(LPVOID unused)
{
    data = 5;
    SetEvent(ready);
    WaitForSingleObject(taken, INFINITE);
    data = 6;
    return 0;
}

int main(void)
{
    ready = CreateEvent(NULL, TRUE, FALSE, NULL);
    taken = CreateEvent(NULL, FALSE, FALSE, NULL);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    WaitForSingleObject(ready, INFINITE);
    assert(WaitForSingleObject(ready, 0) == WAIT_OBJECT_0);
    assert(data == 5);
    SetEvent(taken);
    WaitForSingleObject(thread, INFINITE);
    assert(data == 6);
    assert(WaitForSingleObject(taken, 0) == WAIT_TIMEOUT);
    ResetEvent(ready);
    assert(WaitForSingleObject(ready, 0) == WAIT_TIMEOUT);
    return 0;
}
