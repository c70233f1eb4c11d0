// sley: reach=true race=true deadlock=true memory=true overflow=true
// The first second of the epoch and the present one are written as dates.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int iso_date(time_t when, char *out, size_t size)
{
    struct tm *parts = gmtime(&when);
    if (!parts)
        return -1;
    return strftime(out, size, "%Y-%m-%d %H:%M:%S", parts) ? 0 : -1;
}

int main(void)
{
    char text[32];
    if (iso_date(0, text, sizeof text) == 0)
        assert(strcmp(text, "1970-01-01 00:00:00") == 0);
    if (iso_date(86400 * 365, text, sizeof text) == 0)
        assert(strcmp(text, "1971-01-01 00:00:00") == 0);
    assert(iso_date(0, text, 10) == -1);
    time_t now = time(NULL);
    if (now != (time_t)-1 && iso_date(now, text, sizeof text) == 0)
        puts(text);
    return 0;
}
