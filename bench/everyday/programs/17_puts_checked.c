// sley: reach=true race=true deadlock=true memory=true overflow=true
// A tool that prints its answer and notices when that fails.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void say(const char *text)
{
    int result = puts(text);
    if (result == EOF) {
        fputs("cannot write\n", stderr);
        exit(EXIT_FAILURE);
    }
    assert(result >= 0);
}

int main(void)
{
    say("one");
    say("two");
    if (putchar('!') != '!')
        return EXIT_FAILURE;
    if (fflush(stdout) != 0 || ferror(stdout))
        return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
