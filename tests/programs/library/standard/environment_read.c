// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A variable of the environment that is there can be read as a number.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int threads = 2;
    const char *given = getenv("THREADS");
    if (given && strcmp(given, "all") != 0)
        threads = atoi(given);
    const char *level = getenv("DEBUG");
    if (level && *level == '1')
        threads = 1;
    return threads > 8;
}
