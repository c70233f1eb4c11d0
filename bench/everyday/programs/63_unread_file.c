// sley: reach=true race=true deadlock=true memory=false overflow=true
// A file that cannot be opened is read all the same.
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: count FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "r");
    unsigned long lines = 0;
    int c;
    while ((c = getc(file)) != EOF)
        lines += c == '\n';
    fclose(file);
    printf("%lu\n", lines);
    return 0;
}
