// sley: reach=true race=true deadlock=true memory=true overflow=true
// A whole file is read into a block of its size.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *file = fopen("in", "rb");
    if (!file)
        return 1;
    char *text = 0;
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    rewind(file);
    if (0 <= size && size < 3 && (text = malloc(size + 1))) {
        size_t count = fread(text, 1, size, file);
        text[count] = 0;
    }
    free(text);
    fclose(file);
    return 0;
}
