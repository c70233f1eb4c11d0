// sley: reach=true race=true deadlock=true memory=true overflow=true
// A file is of one kind, and not smaller than nothing.
#include <assert.h>
#include <errno.h>
#include <sys/stat.h>

int main(void)
{
    struct stat status;
    errno = 0;
    if (stat("a", &status) != 0) {
        assert(errno != 0);
        return 1;
    }
    assert(status.st_size >= 0);
    assert(!S_ISREG(status.st_mode) || !S_ISDIR(status.st_mode));
    assert(!S_ISLNK(status.st_mode));
    return 0;
}
