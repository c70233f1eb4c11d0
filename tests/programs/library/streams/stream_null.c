// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// fopen may fail, and null is no stream (C11 7.21.5.3p8).
#include <stdio.h>

int main(void)
{
    FILE *log = fopen("log", "a");
    fputs("started\n", log);
    return 0;
}
