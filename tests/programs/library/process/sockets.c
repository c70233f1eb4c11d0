// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Calls for sockets may fail, and write no more than there is room for.
#include <assert.h>
#include <sys/socket.h>

int main(void)
{
    char address[2] = {AF_INET};
    socklen_t size = sizeof address;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    assert(door >= -1);
    if (door == -1 || bind(door, (struct sockaddr *)address, size) == -1 || listen(door, 1) == -1)
        return 1;
    int guest = accept(door, (struct sockaddr *)address, &size);
    assert(guest >= -1 && size <= sizeof address);
    return 0;
}
