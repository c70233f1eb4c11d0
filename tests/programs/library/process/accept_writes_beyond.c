// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// There is less room for the address than is said.
#include <sys/socket.h>

int main(void)
{
    char address[1];
    socklen_t size = 2;
    return accept(3, (struct sockaddr *)address, &size) == -1;
}
