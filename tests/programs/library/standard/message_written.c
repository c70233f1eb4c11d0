// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// The text of strerror belongs to the library (C11 7.24.6.2p3).
#include <string.h>

int main(void)
{
    char *message = strerror(1);
    message[0] = 'x';
    return 0;
}
