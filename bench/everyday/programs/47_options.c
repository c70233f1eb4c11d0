// sley: reach=true race=true deadlock=true memory=true overflow=true
// A tool reads its options with getopt, and the rest is files.
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    bool verbose = false;
    const char *output = NULL;
    int option;
    while ((option = getopt(argc, argv, "vo:")) != -1) {
        switch (option) {
        case 'v':
            verbose = true;
            break;
        case 'o':
            assert(optarg != NULL);
            output = optarg;
            break;
        default:
            fprintf(stderr, "usage: tool [-v] [-o file] file...\n");
            return 2;
        }
    }
    for (int i = optind; i < argc; i++)
        if (verbose)
            printf("%s -> %s\n", argv[i], output ? output : "-");
    return 0;
}
