// sley: reach=true race=true deadlock=true memory=true overflow=true
// Descriptors that are open at a time differ, whoever made them (POSIX open, socket, dup).
#include <assert.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int file = open("a", O_RDONLY);
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (file < 0 || line < 0)
        return 1;
    assert(file != line && file > STDERR_FILENO);
    int again = dup(file);
    assert(again != file && again != line);
    close(file);
    close(line);
    return 0;
}
