// sley: reach=true race=true deadlock=true memory=true overflow=true
// A file is copied through a buffer, whatever parts it is read and written in.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char buffer[4];
    ssize_t got;
    int from = open("a", O_RDONLY), to = open("b", O_WRONLY);
    if (from < 0 || to < 0)
        return 1;
    while ((got = read(from, buffer, sizeof buffer)) > 0)
        for (ssize_t done = 0; done < got;) {
            assert(got <= (ssize_t)sizeof buffer);
            ssize_t put = write(to, buffer + done, got - done);
            if (put < 0)
                return 1;
            done += put;
        }
    return close(to) == 0 && close(from) == 0 ? 0 : 1;
}
