// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Calls for sockets may fail, and write no more than there is room for.
#include <assert.h>

int socket(int domain, int type, int protocol);
int bind(int socket, const void *address, unsigned int size);
int listen(int socket, int most);
int accept(int socket, char *address, unsigned int *size);

int main(void)
{
    char address[2] = {0};
    unsigned int size = sizeof address;
    int door = socket(2, 1, 0);
    assert(door >= -1);
    if (door == -1 || bind(door, address, size) == -1 || listen(door, 1) == -1)
        return 1;
    int guest = accept(door, address, &size);
    assert(guest >= -1 && size <= sizeof address);
    return 0;
}
