// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A string that is freed cannot be printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = strdup("text");
    free(text);
    puts(text);
    return 0;
}
