// sley: reach=true race=true deadlock=true memory=true overflow=true
// The old way to send output elsewhere: the lowest number is free after close.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int kept = dup(STDOUT_FILENO);
    if (kept < 0)
        return 1;
    close(STDOUT_FILENO);
    int file = open("log", O_WRONLY | O_CREAT, 0600);
    if (file < 0)
        return 1;
    assert(file == STDOUT_FILENO);
    assert(dup2(kept, STDOUT_FILENO) <= STDOUT_FILENO);
    return 0;
}
