// sley: reach=true race=true deadlock=true memory=true overflow=true
// A path is asked what it is; a file is not a directory, too.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static char kind(const char *path)
{
    struct stat info;
    if (stat(path, &info) == -1)
        return errno == ENOENT ? '-' : '?';
    if (S_ISREG(info.st_mode))
        return 'f';
    if (S_ISDIR(info.st_mode)) {
        assert(!S_ISREG(info.st_mode));
        return 'd';
    }
    return 'o';
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char c = kind(argv[i]);
        assert(strchr("fdo-?", c) != NULL);
        printf("%c %s\n", c, argv[i]);
    }
    return 0;
}
