// sley: reach=true race=true deadlock=true memory=false overflow=true
// The end of a file is asked for before reading: the last round has nothing, and cuts before the text.
#include <stdio.h>
#include <string.h>

int main(void)
{
    FILE *file = fopen("/etc/hostname", "r");
    if (!file) {
        perror("/etc/hostname");
        return 1;
    }
    while (!feof(file)) {
        char line[80] = "";
        fgets(line, sizeof line, file);
        line[strlen(line) - 1] = '\0';
        puts(line);
        if (ferror(file))
            break;
    }
    fclose(file);
    return 0;
}
