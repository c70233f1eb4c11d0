// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A condition variable with a slim lock: one side waits while it holds the lock for reading.
#include <windows.h>
#include <assert.h>

SRWLOCK lock = SRWLOCK_INIT;
CONDITION_VARIABLE changed = CONDITION_VARIABLE_INIT;
int stage;

DWORD WINAPI worker(LPVOID unused)
{
    AcquireSRWLockExclusive(&lock);
    stage = 1;
    WakeAllConditionVariable(&changed);
    while (stage != 2)
        SleepConditionVariableSRW(&changed, &lock, INFINITE, 0);
    ReleaseSRWLockExclusive(&lock);
    return 0;
}

int main(void)
{
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    AcquireSRWLockShared(&lock);
    while (stage != 1)
        SleepConditionVariableSRW(&changed, &lock, INFINITE, CONDITION_VARIABLE_LOCKMODE_SHARED);
    ReleaseSRWLockShared(&lock);
    AcquireSRWLockExclusive(&lock);
    stage = 2;
    WakeConditionVariable(&changed);
    ReleaseSRWLockExclusive(&lock);
    WaitForSingleObject(thread, INFINITE);
    return 0;
}
