// sley: race=true deadlock=true memory=false overflow=true
// A number that the program computes need not be the address of any object.
#include <assert.h>

int x, y, z;

int main(void)
{
    unsigned long number = 2;
    for (int i = 0; i < 32; i++)
        number *= 2;
    *(int *)number = 7;
    assert(x != 7 && y != 7 && z != 7);
    return 0;
}
