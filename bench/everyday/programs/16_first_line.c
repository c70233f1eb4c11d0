// sley: reach=true race=true deadlock=true memory=false overflow=true
// The buffer that getline makes is lost on the way where a line was read.
#include <stdio.h>
#include <stdlib.h>

static int first_length(FILE *in)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length = getline(&line, &size, in);
    if (length < 0) {
        free(line);
        return 0;
    }
    return line[0] == '#' ? 0 : (int)(length % 1000);
}

int main(void)
{
    printf("%d\n", first_length(stdin));
    return 0;
}
