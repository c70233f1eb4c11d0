// sley: reach=true race=true deadlock=true memory=false overflow=true
// Behind its options the tool expects a file, and does not look whether there is one.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option, quiet = 0;
    while ((option = getopt(argc, argv, "q")) != -1) {
        if (option == 'q')
            quiet = 1;
        else
            return 2;
    }
    const char *file = argv[optind];
    size_t length = strlen(file);
    if (length == 0)
        return 1;
    if (!quiet)
        printf("%zu\n", length);
    return 0;
}
