// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// memcmp compares all the bytes it is told to (C11 7.24.4.1), though the first ones differ.
#include <string.h>

static unsigned char one[4] = {1}, other[6] = {2};

int main(void)
{
    return memcmp(one, other, 6) > 0;
}
