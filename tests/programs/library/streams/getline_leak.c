// sley: reach=true race=true deadlock=true memory=false overflow=true
// The block of getline is there even if there is no line; nobody frees it.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = 0;
    size_t size = 0;
    if (getline(&line, &size, stdin) > 0)
        free(line);
    line = 0;
    return 0;
}
