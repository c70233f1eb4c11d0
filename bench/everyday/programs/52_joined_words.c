// sley: reach=true race=true deadlock=true memory=false overflow=true
// Words are joined with commas in a block that has no room for the end of the text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(char **words, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += strlen(words[i]) + (i + 1 < count);
    char *text = malloc(size);
    if (!text)
        return NULL;
    char *p = text;
    for (size_t i = 0; i < count; i++) {
        if (i)
            *p++ = ',';
        size_t length = strlen(words[i]);
        memcpy(p, words[i], length);
        p += length;
    }
    *p = '\0';
    return text;
}

int main(void)
{
    char *words[] = {"red", "green", "blue"};
    char *text = join(words, 3);
    if (!text)
        return 1;
    free(text);
    return 0;
}
