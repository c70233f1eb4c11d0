// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// To move a string by strcpy is undefined (C11 7.24.2.3p2).
#include <string.h>

int main(void)
{
    char text[8] = "abc";
    strcpy(text, text + 1);
    return 0;
}
