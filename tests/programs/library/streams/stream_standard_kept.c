// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Only what was opened is closed.
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *out = argc > 1 ? fopen(argv[1], "w") : stdout;
    if (!out)
        return 1;
    fprintf(out, "text\n");
    if (out != stdout)
        fclose(out);
    puts("done");
    return 0;
}
