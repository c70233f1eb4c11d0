// sley: reach=true race=true deadlock=true memory=false overflow=true
// The key of a setting is read with a width that is not that of its array.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[128], key[16], value[64];
    unsigned long good = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '#')
            continue;
        if (sscanf(line, "%16[^= ] = %63s", key, value) == 2)
            good++;
    }
    printf("%lu settings\n", good);
    return 0;
}
