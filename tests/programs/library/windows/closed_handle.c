// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A handle is used after it was closed.
#include <windows.h>

int main(void)
{
    HANDLE event = CreateEvent(NULL, TRUE, TRUE, NULL);
    CloseHandle(event);
    WaitForSingleObject(event, INFINITE);
    return 0;
}
