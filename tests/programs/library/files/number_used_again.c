// sley: reach=false race=true deadlock=true memory=true overflow=true
// A number that was closed is given out again: what is written to the first file goes into the second.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int first = open("a", O_RDWR);
    if (first < 0)
        return 1;
    close(first);
    int second = open("b", O_RDWR);
    assert(second != first);
    return 0;
}
