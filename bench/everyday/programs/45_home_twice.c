// sley: reach=true race=true deadlock=true memory=true overflow=true
// A variable of the environment is asked for twice: nothing has changed between.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t home_length(void)
{
    return getenv("HOME") ? strlen(getenv("HOME")) : 0;
}

int main(void)
{
    size_t length = home_length();
    assert(home_length() == length);
    if (getenv("HOME") != NULL)
        printf("%s has %zu characters\n", getenv("HOME"), length);
    return 0;
}
