// sley: reach=true race=true deadlock=true memory=false overflow=true
// A formatted text gets a block of its length, without its end.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char *format(const char *pattern, ...)
{
    va_list list;
    va_start(list, pattern);
    int length = vsnprintf(NULL, 0, pattern, list);
    va_end(list);
    if (length < 0)
        return NULL;
    char *text = malloc((size_t)length);
    if (!text)
        return NULL;
    va_start(list, pattern);
    vsnprintf(text, (size_t)length + 1, pattern, list);
    va_end(list);
    return text;
}

int main(void)
{
    char *text = format("%s-%d", "node", 17);
    if (!text)
        return 1;
    printf("%c\n", text[0]);
    free(text);
    return 0;
}
