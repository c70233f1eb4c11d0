// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The texts of the library can be looked at, printed and measured, whatever they say.
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *message = strerror(ENOENT);
    if (message[0] == 'N')
        puts(message);
    printf("%s\n", message);
    const char *locale = setlocale(LC_ALL, "");
    if (locale && locale[0])
        fprintf(stderr, "%s: %s\n", locale, message);
    return strlen(message) == 0;
}
