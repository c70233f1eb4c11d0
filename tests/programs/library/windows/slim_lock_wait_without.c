// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// To wait with a slim lock for writing that is only held for reading is wrong.
#include <windows.h>

SRWLOCK lock = SRWLOCK_INIT;
CONDITION_VARIABLE changed = CONDITION_VARIABLE_INIT;

int main(void)
{
    AcquireSRWLockShared(&lock);
    SleepConditionVariableSRW(&changed, &lock, 10, 0);
    ReleaseSRWLockShared(&lock);
    return 0;
}
