// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Both kinds of data that each thread has for itself.
#include <windows.h>
#include <assert.h>

__declspec(thread) int own = 1;
DWORD slot;

DWORD WINAPI worker(LPVOID unused)
{
    assert(own++ == 1);
    assert(TlsGetValue(slot) == NULL);
    TlsSetValue(slot, &slot);
    return 0;
}

int main(void)
{
    slot = TlsAlloc();
    TlsSetValue(slot, &own);
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    own++;
    WaitForSingleObject(thread, INFINITE);
    assert(own == 2 && TlsGetValue(slot) == &own);
    TlsFree(slot);
    return 0;
}
