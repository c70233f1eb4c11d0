// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A broken-down time has all its parts in their ranges, and written out it has 25 characters (C11 7.27.3.1p2).
#define _GNU_SOURCE
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t now = time(0);
    struct tm parts;
    assert(localtime_r(&now, &parts) == &parts);
    assert(0 <= parts.tm_mon && parts.tm_mon < 12 && parts.tm_hour < 24);
    char *text = ctime(&now);
    assert(text[24] == '\n' && text[25] == 0);
    text[24] = 0;
    return 0;
}
