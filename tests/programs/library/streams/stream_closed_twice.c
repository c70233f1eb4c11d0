// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A stream whose closing fails is closed all the same (C11 7.21.5.1p2).
#include <stdio.h>

int main(void)
{
    FILE *out = fopen("out", "w");
    if (!out)
        return 1;
    if (fclose(out) != 0)
        fclose(out);
    return 0;
}
