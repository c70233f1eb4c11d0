// sley: reach=true race=true deadlock=true memory=true overflow=true
// What is a terminal stays one.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    if (isatty(STDIN_FILENO))
        assert(isatty(STDIN_FILENO));
    else
        assert(!isatty(STDIN_FILENO));
    return 0;
}
