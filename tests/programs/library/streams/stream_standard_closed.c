// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// What prints to the standard output needs it to be open.
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *out = argc > 1 ? fopen(argv[1], "w") : stdout;
    if (!out)
        return 1;
    fprintf(out, "text\n");
    fclose(out);
    puts("done");
    return 0;
}
