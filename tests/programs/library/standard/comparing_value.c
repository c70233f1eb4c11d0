// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// By how much two strings differ, nobody knows (C11 7.24.4.2p3).
#include <assert.h>
#include <string.h>

int main(void)
{
    char one[2] = "a", other[2] = "c";
    int order = strcmp(one, other);
    assert(order == -1 || order == -2);
    return 0;
}
