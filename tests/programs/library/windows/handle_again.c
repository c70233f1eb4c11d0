// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// The handle of a closed object may be that of the next one.
#include <assert.h>
#include <windows.h>

int main(void)
{
    HANDLE first = CreateEvent(NULL, TRUE, FALSE, NULL);
    CloseHandle(first);
    HANDLE second = CreateMutex(NULL, FALSE, NULL);
    assert(first != second);
    return 0;
}
