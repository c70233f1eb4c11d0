// sley: reach=true race=true deadlock=true memory=true overflow=true
// The result of getline is how many characters there are; only the last may be a newline.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = 0;
    size_t size = 0;
    ssize_t count = getline(&line, &size, stdin);
    assert(count == -1 || count > 0);
    if (count > 1)
        assert(line[0] != '\n' && line[count] == 0 && (size_t)count < size);
    free(line);
    return 0;
}
