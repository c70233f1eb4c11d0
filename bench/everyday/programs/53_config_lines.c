// sley: reach=true race=true deadlock=true memory=true overflow=true
// Lines of the form key = value are parsed, comments and blanks skipped.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config {
    int threads;
    double timeout;
    char host[16];
};

static int parse_line(struct config *c, const char *line)
{
    char key[16], value[16];
    if (line[0] == '#' || line[0] == '\0')
        return 0;
    if (sscanf(line, " %15[a-z] = %15s", key, value) != 2)
        return -1;
    if (strcmp(key, "threads") == 0)
        c->threads = (int)strtol(value, NULL, 10);
    else if (strcmp(key, "timeout") == 0)
        c->timeout = strtod(value, NULL);
    else if (strcmp(key, "host") == 0)
        snprintf(c->host, sizeof c->host, "%s", value);
    else
        return -1;
    return 0;
}

int main(void)
{
    static const char *const lines[] = {"# server", "threads = 4", "", "timeout=2.5", " host = localhost"};
    struct config c = {1, 0, ""};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert(parse_line(&c, lines[i]) == 0);
    assert(c.threads == 4);
    assert(c.timeout == 2.5);
    assert(strcmp(c.host, "localhost") == 0);
    assert(parse_line(&c, "color = red") == -1);
    return 0;
}
