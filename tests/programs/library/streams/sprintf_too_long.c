// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// The end of the text has no room.
#include <stdio.h>

int main(void)
{
    char text[4];
    sprintf(text, "%d", 1000);
    return 0;
}
