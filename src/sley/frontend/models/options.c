// Options of the command line: any that the program takes, in any order, as long as there are arguments.
//
// Each stands in an argument of its own, and so does its value.
#include "sley.h"

char *optarg;
int optind = 1, opterr = 1, optopt;

int getopt(int count, char *const arguments[], const char *options)
{
    if (optind >= count || __sley_nondet_bool())
        return -1;
    if (__sley_nondet_bool()) {
        optind++;
        return '?';
    }
    int chosen = 0;
    while (options[chosen + 1] && __sley_nondet_bool())
        chosen++;
    __sley_assume(options[chosen] && options[chosen] != ':' && options[chosen] != '+' && options[chosen] != '-');
    optarg = 0;
    if (options[chosen + 1] == ':') {
        __sley_assume(optind + 1 < count);
        optarg = arguments[optind + 1];
        optind++;
    }
    optind++;
    return options[chosen];
}
