// sley: reach=true race=true deadlock=true memory=true overflow=true
// What was set is there, as it was set, until it is removed.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[] = "MODE=fast";
    if (setenv("LEVEL", "12", 1))
        return 1;
    assert(!strcmp(getenv("LEVEL"), "12"));
    setenv("LEVEL", "3", 0);
    assert(!strcmp(getenv("LEVEL"), "12"));
    assert(unsetenv("LEVEL") == 0 && !getenv("LEVEL"));
    assert(setenv("A=B", "1", 1) == -1 && errno == EINVAL);
    putenv(text);
    text[5] = 'l';
    assert(getenv("MODE")[0] == 'l');
    return 0;
}
