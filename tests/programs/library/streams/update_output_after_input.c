// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A stream for update is written after it was read; a flush is not enough.
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("notes", "r+");
    if (!file)
        return 1;
    int first = fgetc(file);
    fflush(file);
    if (first == 'f')
        fputc('g', file);
    fclose(file);
    return 0;
}
