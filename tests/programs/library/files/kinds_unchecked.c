// sley: reach=false race=true deadlock=true memory=true overflow=true
// What exists need not be a regular file.
#include <assert.h>
#include <sys/stat.h>

int main(void)
{
    struct stat status;
    if (lstat("a", &status) == 0)
        assert(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
    return 0;
}
