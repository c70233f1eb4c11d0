// sley: reach=true race=true deadlock=true memory=true overflow=true
// Numbers are read from strings in several bases, and what is too large is cut.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    const char *text = " -12x";
    assert(atoi("42") == 42 && atoi("x") == 0 && atol("-7") == -7 && atoll("+9") == 9);
    assert(strtol(text, &end, 10) == -12 && end == text + 4);
    text = "zz";
    assert(strtol(text, &end, 10) == 0 && end == text);
    assert(strtol("0x1f", 0, 0) == 31 && strtol("017", 0, 0) == 15 && strtol("ff", 0, 16) == 255);
    text = "0x";
    assert(strtoul(text, &end, 16) == 0 && end == text + 1);
    assert(errno == 0 || errno == EINVAL); // POSIX allows the latter
    assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
    assert(strtoul("-1", 0, 10) == ULONG_MAX);
    return 0;
}
