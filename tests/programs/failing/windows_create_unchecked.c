// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false args="--create-may-fail"
// An event that could not be made is set.
#include <windows.h>

int main(void)
{
    HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);
    SetEvent(event);
    return 0;
}
