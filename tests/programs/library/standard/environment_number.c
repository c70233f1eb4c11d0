// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A variable is read as a number, another by its first character.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    const char *level = getenv("LEVEL"), *user = getenv("USER");
    if (level && user && user[0] == 'x')
        assert(atoi(level) != 42);
    return 0;
}
