// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// The buffer is smaller than it was said to be.
#include <stdio.h>

int main(void)
{
    char line[4];
    fgets(line, 5, stdin);
    return 0;
}
