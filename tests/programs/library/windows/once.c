// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// An initialisation that fails at first is tried again by the next one; then it is over.
#include <windows.h>
#include <assert.h>

INIT_ONCE once = INIT_ONCE_STATIC_INIT;
int calls;

BOOL CALLBACK initialise(PINIT_ONCE o, PVOID parameter, PVOID *context)
{
    calls++;
    return calls == 2;
}

DWORD WINAPI worker(LPVOID unused)
{
    if (InitOnceExecuteOnce(&once, initialise, NULL, NULL))
        assert(calls == 2);
    return 0;
}

int main(void)
{
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    worker(NULL);
    worker(NULL);
    WaitForSingleObject(thread, INFINITE);
    assert(calls == 2);
    return 0;
}
