// sley: reach=true race=true deadlock=true memory=false overflow=true
// A negative `char` is no character for `isalpha`, which wants an `unsigned char` or EOF (C11 7.4p1).
#include <ctype.h>

int main(void)
{
    const char text[] = "\xe9t\xe9";
    return isalpha(text[0]) != 0;
}
