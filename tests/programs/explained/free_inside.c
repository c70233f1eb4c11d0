// sley: reach=true race=true deadlock=true memory=false overflow=true
// A parser moves the pointer that its buffer is freed by.
// why: 1 byte behind the start of the block
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int values;

static char *read_line(void)
{
    char *line = malloc(8);
    if (!line)
        abort();
    strcpy(line, " 7");
    return line;
}

static void *parse(void *unused)
{
    char *line = read_line();
    while (*line == ' ')
        line++;
    if (*line == '7')
        values++;
    free(line);  // decisive
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, parse, NULL);
    pthread_join(thread, NULL);
    return values != 1;
}
