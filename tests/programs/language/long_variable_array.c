// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A variable length that the program mentions may be large: it is 100 here, and one element too many is read.
#include <stdlib.h>

static int count = 100;

int main(void)
{
    int table[count];
    for (int i = 0; i < count; i++)
        table[i] = i;
    return table[count] != 3;
}
