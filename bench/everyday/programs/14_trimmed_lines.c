// sley: reach=true race=true deadlock=true memory=true overflow=true
// Lines are read with fgets, cut at their end, and the longest is kept.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[64], longest[64] = "";
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strlen(line) > strlen(longest))
            strcpy(longest, line);
    }
    if (ferror(stdin))
        return 1;
    assert(strchr(longest, '\n') == NULL);
    assert(strlen(longest) < sizeof longest);
    printf("%s\n", longest);
    return 0;
}
