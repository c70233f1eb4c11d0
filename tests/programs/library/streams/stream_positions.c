// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A position that is known, or asked for twice, is the same; where a stream has none, ftell fails.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    FILE *file = tmpfile();
    if (!file)
        return 1;
    assert(ftell(file) == 0);
    if (fseek(file, 7, SEEK_SET) == 0)
        assert(ftell(file) == 7);
    fputs("text", file);
    long here = ftell(file);
    assert(here >= 0 && here == ftell(file));
    assert(fseek(file, -1, SEEK_SET) == -1);
    rewind(file);
    assert(ftell(file) == 0);
    fclose(file);
    return 0;
}
