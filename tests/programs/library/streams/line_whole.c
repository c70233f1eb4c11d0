// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A newline is the last character that fgets stores (C11 7.21.7.2p2), and without one the file ends or there is no room.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4];
    if (fgets(line, sizeof line, stdin)) {
        char *end = strchr(line, '\n');
        assert(!end || end[1] == 0);
        if (line[0] && line[1] && !line[2] && line[1] != '\n' && !feof(stdin))
            puts("a zero in the line");
    }
    return 0;
}
