// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Nobody knows which number is read.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number = 5;
    scanf("%d", &number);
    assert(number != 7);
    return 0;
}
