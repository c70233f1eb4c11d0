// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Whatever is found in a text, it goes where it should.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int before = 1, number = 2, after = 3;
    int count = sscanf("17", "%d", &number);
    assert(count <= 1 && before == 1 && after == 3);
    return 0;
}
