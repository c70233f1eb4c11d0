// sley: reach=true race=true deadlock=true memory=true overflow=true
// Globals and static locals start as zero.
#include <assert.h>

int number;
char text[3];
struct {
    int *pointer;
    long values[2];
} record;

int main(void)
{
    static short local;
    assert(number == 0 && text[2] == 0 && record.pointer == 0 && record.values[1] == 0 && local == 0);
    return 0;
}
