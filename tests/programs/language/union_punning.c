// sley: reach=true race=true deadlock=true memory=true overflow=true
// Memory is little-endian bytes: writing through one type is seen through another.
#include <assert.h>

union word {
    unsigned whole;
    unsigned char bytes[4];
    unsigned short halves[2];
};

union word shared;
unsigned number = 0x01020304;

int main(void)
{
    shared.whole = 0x11223344;
    assert(shared.bytes[0] == 0x44 && shared.bytes[3] == 0x11);
    shared.bytes[1] = 0xff;
    assert(shared.whole == 0x1122ff44);
    assert(shared.halves[1] == 0x1122);
    unsigned char *bytes = (unsigned char *)&number;
    assert(bytes[0] == 4 && bytes[3] == 1);
    bytes[2] = 0;
    assert(number == 0x01000304);
    return 0;
}
