// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Calls for sockets may fail, and write no more than there is room for.
#include <assert.h>
#include <sys/socket.h>

int main(void)
{
    struct sockaddr address = {.sa_family = AF_INET};
    socklen_t size = sizeof address.sa_family;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    assert(door >= -1);
    if (door == -1 || bind(door, &address, size) == -1 || listen(door, 1) == -1)
        return 1;
    int guest = accept(door, &address, &size);
    assert(guest >= -1 && size <= sizeof address.sa_family);
    return 0;
}
