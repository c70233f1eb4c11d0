// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A slim lock is released that is not held.
#include <windows.h>

SRWLOCK lock = SRWLOCK_INIT;

int main(void)
{
    AcquireSRWLockShared(&lock);
    ReleaseSRWLockExclusive(&lock);
    return 0;
}
