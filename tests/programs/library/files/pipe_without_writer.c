// sley: reach=true race=true deadlock=false memory=true overflow=true
// A reader waits for bytes that nobody will write, as it has the other end open itself.
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        return 1;
    read(ends[0], &byte, 1);
    return 0;
}
