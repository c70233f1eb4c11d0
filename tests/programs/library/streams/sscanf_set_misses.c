// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A set of letters does not take the digit; the rest of the word goes to the next conversion.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char name[8];
    int number = 0;
    assert(sscanf("port80", "%7[a-z]%d", name, &number) == 2);
    assert(number != 80);
    return 0;
}
