// sley: reach=true race=true deadlock=true memory=false overflow=true
// The path of a settings file is put together in a buffer of fixed size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char path[64];
    const char *home = getenv("HOME");
    if (!home)
        home = "/root";
    strcpy(path, home);
    strcat(path, "/.toolrc");
    FILE *file = fopen(path, "r");
    if (!file)
        return 1;
    puts("found");
    fclose(file);
    return 0;
}
