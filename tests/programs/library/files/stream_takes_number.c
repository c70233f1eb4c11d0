// sley: reach=true race=true deadlock=true memory=true overflow=true
// A stream has a descriptor like any other: a number that was closed becomes that of the next stream.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int first = open("a", O_RDONLY);
    if (first < 0)
        return 1;
    close(first);
    FILE *log = fopen("log", "w");
    if (!log)
        return 1;
    assert(fileno(log) == first);
    assert(open("b", O_RDONLY) != first);
    fclose(log);
    assert(write(first, "x", 1) == -1);
    return 0;
}
