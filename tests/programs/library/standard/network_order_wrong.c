// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// What came from a network is compared without being turned round.
#include <assert.h>
#include <arpa/inet.h>

int main(void)
{
    unsigned short port = htons(80);
    assert(port == 80);
    return 0;
}
