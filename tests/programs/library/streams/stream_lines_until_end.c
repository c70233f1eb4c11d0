// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The usual loop: until EOF, which an indicator explains.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    FILE *in = fopen("in", "r");
    if (!in)
        return 1;
    int lines = 0, c;
    while ((c = getc(in)) != EOF)
        lines = c == '\n' && lines < 3 ? lines + 1 : lines;
    assert(feof(in) || ferror(in));
    assert(lines <= 3);
    fclose(in);
    return 0;
}
