// sley: reach=true race=true deadlock=true memory=true overflow=true args="-- -vn5 file -l -o --lines=7 -z -- -v"
// Options with and without values, in clusters, attached, long, unknown, behind another argument, and the end of them.
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const struct option names[] = {{"lines", required_argument, NULL, 'L'}, {NULL, 0, NULL, 0}};

int main(int argc, char **argv)
{
    int option, verbose = 0, number = 0, lines = 0, unknown = 0;
    const char *list = "";
    opterr = 0;
    while ((option = getopt_long(argc, argv, "vn:l:o::", names, NULL)) != -1) {
        if (option == 'v')
            verbose++;
        else if (option == 'n')
            number = atoi(optarg);
        else if (option == 'l')
            list = optarg;
        else if (option == 'L')
            lines = atoi(optarg);
        else if (option == '?')
            unknown = optopt;
    }
    assert(verbose == 1 && number == 5 && lines == 7 && unknown == 'z');
    assert(strcmp(list, "-o") == 0);
    assert(optind == 7 && argc == 9);
    assert(strcmp(argv[7], "file") == 0 && strcmp(argv[8], "-v") == 0);
    return 0;
}
