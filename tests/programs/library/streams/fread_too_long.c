// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// More elements are asked for than there is room for.
#include <stdio.h>

int main(void)
{
    int numbers[2];
    fread(numbers, sizeof(int), 3, stdin);
    return 0;
}
