// sley: reach=true race=true deadlock=true memory=false overflow=true
// A line that begins with a zero has no last character.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strlen(line) - 1] = 0;
    return 0;
}
