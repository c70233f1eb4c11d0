// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// EOF need not mean that the end of the file is reached.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    if (getchar() == EOF)
        assert(feof(stdin));
    return 0;
}
