// sley: reach=true race=true deadlock=true memory=false overflow=true
// A pointer to a variable of the former round that was copied byte by byte, and as a number.
#include <stdint.h>
#include <string.h>

int main(void)
{
    uintptr_t former = 0;
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        int number = round;
        int *address = &number;
        if (former)
            sum = *(int *)former;
        memcpy(&former, &address, sizeof former);
    }
    return sum;
}
