// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A slim lock is held by one writer or several readers.
#include <assert.h>
#include <windows.h>

SRWLOCK lock = SRWLOCK_INIT;
int data, copy;

DWORD WINAPI writer(LPVOID unused)
{
    AcquireSRWLockExclusive(&lock);
    data = 1;
    copy = 1;
    ReleaseSRWLockExclusive(&lock);
    return 0;
}

int main(void)
{
    HANDLE thread = CreateThread(NULL, 0, writer, NULL, 0, NULL);
    AcquireSRWLockShared(&lock);
    assert(data == copy);
    assert(!TryAcquireSRWLockExclusive(&lock));
    ReleaseSRWLockShared(&lock);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
