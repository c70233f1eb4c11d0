// sley: reach=true race=true deadlock=true memory=true overflow=true
// Lines of any length are numbered with getline, whose buffer is freed at the end.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    unsigned long count = 0;
    ssize_t length;
    while ((length = getline(&line, &size, stdin)) != -1) {
        assert(length > 0 && (size_t)length < size);
        if (line[length - 1] == '\n')
            line[--length] = '\0';
        printf("%6lu  %s\n", ++count, line);
    }
    free(line);
    return ferror(stdin) ? 1 : 0;
}
