// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A stream for update is flushed or moved between output and input, or was read up to its end.
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("notes", "w+");
    if (!file)
        return 1;
    fputc('a', file);
    rewind(file);
    if (fgetc(file) == EOF && feof(file))
        fputc('b', file);
    fseek(file, 0, SEEK_END);
    fputc('c', file);
    fflush(file);
    fgetc(file);
    fseek(file, 0, SEEK_SET);
    fputc('d', file);
    fflush(NULL);
    fgetc(file);
    fclose(file);
    return 0;
}
