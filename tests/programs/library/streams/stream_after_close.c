// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// Whether an error happened is asked after the stream is gone.
#include <stdio.h>

int main(void)
{
    FILE *in = fopen("in", "r");
    if (!in)
        return 1;
    int first = getc(in);
    fclose(in);
    return first == EOF && ferror(in);
}
