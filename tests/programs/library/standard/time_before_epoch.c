// sley: unmodelled=true
// A time may lie before 1970: which one `mktime` returns is not computed.
#include <assert.h>
#include <time.h>

int main(void)
{
    struct tm day = {0, 0, 0, 1, 0, 60};
    assert(mktime(&day) >= -1);
    return 0;
}
