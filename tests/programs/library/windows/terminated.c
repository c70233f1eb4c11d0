// sley: unmodelled=true
// A thread that another one terminates has no model.
#include <windows.h>

DWORD WINAPI worker(LPVOID unused)
{
    return 0;
}

int main(void)
{
    HANDLE thread = CreateThread(NULL, 0, worker, NULL, 0, NULL);
    TerminateThread(thread, 1);
    return 0;
}
