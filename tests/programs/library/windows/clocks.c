// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Time goes on, and how often the counter counts in a second stays the same.
#include <assert.h>
#include <windows.h>

int main(void)
{
    LARGE_INTEGER start, end, frequency, again;
    ULONGLONG ticks = GetTickCount64();
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&start);
    Sleep(10);
    QueryPerformanceCounter(&end);
    QueryPerformanceFrequency(&again);
    LONGLONG milliseconds = (end.QuadPart - start.QuadPart) * 1000 / frequency.QuadPart;
    assert(frequency.QuadPart == again.QuadPart);
    assert(start.QuadPart <= end.QuadPart);
    assert(GetTickCount64() >= ticks);
    return milliseconds > 1000;
}
