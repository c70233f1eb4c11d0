// sley: reach=true race=true deadlock=true memory=true overflow=true
// A number from the command line, with all that strtol can say about it.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool parse_int(const char *text, int *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0')
        return false;
    if (errno == ERANGE || number < INT_MIN || number > INT_MAX)
        return false;
    *value = (int)number;
    return true;
}

int main(int argc, char **argv)
{
    int value;
    assert(parse_int("-42", &value) && value == -42);
    assert(!parse_int("99999999999999999999", &value));
    assert(!parse_int("12 ", &value));
    assert(!parse_int("", &value));
    if (argc < 2 || !parse_int(argv[1], &value))
        return 1;
    if (value > 0)
        printf("%d\n", value - 1);
    return 0;
}
