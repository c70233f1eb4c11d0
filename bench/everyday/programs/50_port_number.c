// sley: reach=false race=true deadlock=true memory=true overflow=true
// A port is checked as a long and kept as an unsigned short, where 65536 is zero.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int parse_port(const char *text, unsigned short *port)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno || end == text || *end || number <= 0 || number > 65536)
        return -1;
    *port = (unsigned short)number;
    return 0;
}

int main(int argc, char **argv)
{
    unsigned short port;
    if (argc != 2 || parse_port(argv[1], &port) != 0) {
        fprintf(stderr, "usage: serve PORT\n");
        return 2;
    }
    assert(port != 0);
    printf("port %u\n", port);
    return 0;
}
