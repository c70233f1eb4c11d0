// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// EOF comes with one of the two indicators set (C11 7.21.7.1p3), which can be cleared.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    if (getchar() == EOF) {
        int at_end = feof(stdin), is_wrong = ferror(stdin);
        assert(at_end || is_wrong);
        if (at_end)
            assert(feof(stdin) && getchar() == EOF);
        clearerr(stdin);
        assert(!feof(stdin));
    }
    return 0;
}
