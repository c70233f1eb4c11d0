// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A critical section is entered that nobody has initialised.
#include <windows.h>

CRITICAL_SECTION section;

int main(void)
{
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
    return 0;
}
