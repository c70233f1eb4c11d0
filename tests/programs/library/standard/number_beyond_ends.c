// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The least and the greatest numbers fit; the functions that say what does not fit are for others.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    const char *text = "zz";
    assert(atoi("-2147483648") == INT_MIN && atoi(" +2147483647 ") == INT_MAX && atoi("") == 0);
    assert(atol("9223372036854775807") == LONG_MAX && atoll("-9223372036854775808") == LLONG_MIN);
    errno = 0;
    assert(strtol("99999999999999999999", &end, 10) == LONG_MAX && errno == ERANGE && *end == 0);
    errno = 0;
    assert(strtoul("-1", 0, 10) == ULONG_MAX && errno == 0);
    assert(strtol("0x", &end, 16) == 0 && *end == 'x');
    assert(strtol(text, &end, 10) == 0 && end == text);
    assert(strtol(text, &end, 36) == 35 * 36 + 35);
    return 0;
}
