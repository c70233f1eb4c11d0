// sley: reach=true race=true deadlock=true memory=false overflow=true
// The size of an address is said too large: what lies behind it is read.
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr address = {AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return 1;
    connect(fd, &address, 2 * sizeof address);
    return 0;
}
