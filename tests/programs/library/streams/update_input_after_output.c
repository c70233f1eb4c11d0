// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A stream for update is read after it was written: it has to be flushed or moved in between (C11 7.21.5.3p7).
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("notes", "w+");
    if (!file)
        return 1;
    fputs("first", file);
    int first = fgetc(file);
    fclose(file);
    return first == 'f';
}
