// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Numbers for networks have the most significant byte first; there and back is nothing.
#include <assert.h>
#include <arpa/inet.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned number = __VERIFIER_nondet_uint();
    unsigned short port = 8080;
    unsigned word = htonl(0x01020304u);
    assert(htons(port) == 0x901f && ntohs(htons(port)) == port);
    assert(word == 0x04030201u);
    assert(((unsigned char *)&word)[0] == 1 && ((unsigned char *)&word)[3] == 4);
    assert(ntohl(htonl(number)) == number);
    return 0;
}
