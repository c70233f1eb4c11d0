// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The value of a variable has one length, and fits where there is room for it.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char user[8];
    if (!getenv("USER"))
        return 1;
    size_t length = strlen(getenv("USER"));
    if (length < sizeof user)
        strcpy(user, getenv("USER"));
    assert(strlen(getenv("USER")) == length);
    return 0;
}
