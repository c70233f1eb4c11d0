// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A stream is not the program's to free.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *in = fopen("in", "r");
    free(in);
    return 0;
}
