// sley: reach=true race=true deadlock=true memory=false overflow=true
// What is opened may be a pipe, which has no size: ftell returns -1 (POSIX ftell, ESPIPE).
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *file = fopen("in", "rb");
    if (!file)
        return 1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    if (size < 2) {
        char *text = malloc(size + 1);
        if (text)
            text[size < 0 ? 0 : size] = 0;
        free(text);
    }
    fclose(file);
    return 0;
}
