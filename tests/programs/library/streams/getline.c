// sley: reach=false race=true deadlock=true memory=true overflow=true
// Lines are read into a block that getline makes; the first character of a line may be zero (POSIX getline).
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = 0;
    size_t size = 0;
    if (getline(&line, &size, stdin) > 0)
        assert(line[0] != 0);
    free(line);
    return 0;
}
