// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A critical section is left by who is not in it.
#include <windows.h>

int main(void)
{
    CRITICAL_SECTION section;
    InitializeCriticalSection(&section);
    LeaveCriticalSection(&section);
    return 0;
}
