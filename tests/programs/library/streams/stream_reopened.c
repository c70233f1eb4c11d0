// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// freopen closes the stream, also if it fails (C11 7.21.5.4p4).
#include <stdio.h>

int main(void)
{
    freopen("log", "w", stdout);
    puts("text");
    return 0;
}
